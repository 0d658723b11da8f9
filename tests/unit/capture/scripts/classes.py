class Animal:
    kind = "animal"
    count = 0

    def __init__(self, name):
        self.name = name
        Animal.count += 1

    def speak(self):
        return f"{self.name} makes a sound"

    def __repr__(self):
        return f"Animal({self.name!r})"

    @property
    def loud(self):
        return self.name.upper()

    @loud.setter
    def loud(self, value):
        self.name = value.lower()

    @staticmethod
    def make():
        return Animal("made")

    @classmethod
    def of(cls, name):
        return cls(name)


class Dog(Animal):
    kind = "dog"

    def __init__(self, name, tricks=()):
        super().__init__(name)
        self.tricks = list(tricks)

    def speak(self):
        return super().speak() + ": woof"

    def __len__(self):
        return len(self.tricks)

    def __getitem__(self, i):
        return self.tricks[i]

    def __call__(self, x):
        return x + 1

    def __eq__(self, other):
        return isinstance(other, Dog) and self.name == other.name

    def __contains__(self, t):
        return t in self.tricks


a = Animal("cat")
d = Dog("Rex", ["sit", "roll"])
print(a, a.speak(), d.speak(), d.kind, a.kind, Animal.count, len(d), d[1], list(d), d(4), "sit" in d)
print(isinstance(d, Animal), isinstance(a, Dog), issubclass(Dog, Animal), type(d).__name__, d == Dog("Rex"), d != a)
d.loud = "MAX"
print(d.name, d.loud, Animal.make(), Dog.of("new").name, hasattr(d, "tricks"), hasattr(a, "tricks"), getattr(a, "zz", 5))
setattr(a, "extra", 1)
print(a.extra, bool(Dog("x")), bool(d))


class V:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return V(-self.x, -self.y)

    def __lt__(self, o):
        return self.x < o.x

    def __str__(self):
        return f"<{self.x}, {self.y}>"

    def __iter__(self):
        return iter([self.x, self.y])

    def __iadd__(self, o):
        self.x += o.x
        return self


v = V(1, 2) + 3 * V(1, 1) * 2
v += V(1, 0)
print(v, str(-v), V(1, 2) < V(2, 1), list(v), tuple(v), sorted([V(2, 0), V(1, 0)])[0].x)


class A:
    def who(self):
        return "A"


class B(A):
    def who(self):
        return "B" + super().who()


class C(A):
    def who(self):
        return "C" + super().who()


class D(B, C):
    def who(self):
        return "D" + super().who()


print(D().who(), [c.__name__ for c in D.__mro__][:4])


class Count:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Count(3)), sum(Count(4)))


class Lazy:
    def __getattr__(self, name):
        return "no " + name


print(Lazy().thing)


class Config:
    lr = 0.1
    sizes = [i * 2 for i in range(3)]
    total = sum(sizes)


print(Config.lr, Config.sizes, Config.total)
m = d.speak
print(m())


class First:
    def name(self):
        return "first"


class Second(First):
    def name(self):
        return "second"


changing = First()
changing.__class__ = Second
print(changing.name(), type(changing).__name__, Second.__bases__ == (First,), First.__bases__ == (object,))
refused = [lambda: setattr(changing, "__class__", int), lambda: setattr(changing, "__class__", 5),
           lambda: setattr(changing, "__class__", ValueError), lambda: setattr(int, "foo", 3),
           lambda: setattr(ValueError, "foo", 3), lambda: setattr(object, "foo", 3), lambda: delattr(list, "append")]
for attempt in refused:
    try:
        attempt()
        print("accepted")
    except TypeError:
        print("TypeError", changing.name())
