# SPDX-License-Identifier: Apache-2.0

_registered = []


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = {n for n, v in namespace.items() if getattr(v, "__isabstractmethod__", False)}
        for base in bases:
            for n in getattr(base, "__abstractmethods__", ()):
                if getattr(getattr(cls, n, None), "__isabstractmethod__", False):
                    names.add(n)
        cls.__abstractmethods__ = frozenset(names)
        return cls

    def register(cls, subclass):
        cls._abc_registered = cls.__dict__.get("_abc_registered", ()) + (subclass,)
        _registered.append(subclass)
        return subclass

    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance) or cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
        if type.__subclasscheck__(cls, subclass):
            return True
        hook = getattr(cls, "__subclasshook__", None)
        found = hook(subclass) if hook is not None else NotImplemented
        if found is not NotImplemented:
            return found
        if not _registered:
            return False
        return any(issubclass(subclass, known) for known in cls.__dict__.get("_abc_registered", ())) or \
            any(issubclass(subclass, inner) for inner in cls.__subclasses__())


class ABC(metaclass=ABCMeta):
    pass


def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function


def abstractproperty(function):
    return property(abstractmethod(function))


abstractclassmethod = abstractstaticmethod = abstractmethod
