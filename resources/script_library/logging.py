# SPDX-License-Identifier: Apache-2.0

import sys as _sys

CRITICAL, ERROR, WARNING, INFO, DEBUG, NOTSET = 50, 40, 30, 20, 10, 0
FATAL, WARN = CRITICAL, WARNING
_NAMES = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}


def getLevelName(level):
    return _NAMES.get(level, f"Level {level}")


def _number(level):
    if isinstance(level, str):
        for n, name in _NAMES.items():
            if name == level:
                return n
        raise ValueError(f"Unknown level: {level!r}")
    return level


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%", **kwargs):
        self._fmt = fmt or "%(message)s"

    def format(self, record):
        return self._fmt % {"message": record.getMessage(), "levelname": record.levelname, "name": record.name,
                            "asctime": "", "levelno": record.levelno, "filename": "", "lineno": 0, "funcName": "",
                            "module": "", "process": 0, "pathname": "", "threadName": "MainThread"}


class LogRecord:
    def __init__(self, name, level, msg, args):
        self.name, self.levelno, self.msg, self.args = name, level, msg, args
        self.levelname = getLevelName(level)

    def getMessage(self):
        return str(self.msg) % self.args if self.args else str(self.msg)


class Handler:
    def __init__(self, level=NOTSET):
        self.level, self.formatter = level, None

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, formatter):
        self.formatter = formatter

    def handle(self, record):
        if record.levelno >= self.level:
            self.emit(record)

    def emit(self, record):
        pass

    def format(self, record):
        return (self.formatter or Formatter("%(levelname)s:%(name)s:%(message)s")).format(record)

    def close(self):
        pass

    flush = close


class StreamHandler(Handler):
    def __init__(self, stream=None):
        super().__init__()
        self.stream = stream if stream is not None else _sys.stderr

    def emit(self, record):
        self.stream.write(self.format(record) + "\n")


class NullHandler(Handler):
    pass


class FileHandler(Handler):
    def __init__(self, filename, *args, **kwargs):
        raise OSError("scripts touch no files")


class Logger:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.level = name, parent, NOTSET
        self.handlers, self.propagate, self.disabled = [], True, False

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        log = self
        while log is not None:
            if log.level:
                return log.level
            log = log.parent
        return WARNING

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def addHandler(self, handler):
        self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        return bool(self.handlers)

    def addFilter(self, f):
        pass

    def log(self, level, msg, *args, **kwargs):
        if self.disabled or not self.isEnabledFor(level):
            return
        record = LogRecord(self.name, level, msg, args[0] if len(args) == 1 and isinstance(args[0], dict) else args)
        log, found = self, False
        while log is not None:
            for h in log.handlers:
                found = True
                h.handle(record)
            if not log.propagate:
                break
            log = log.parent
        if not found and level >= WARNING:
            _sys.stderr.write(record.getMessage() + "\n")

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args)

    exception = error

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args)

    fatal = critical

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)


root = Logger("root")
root.level = WARNING
_loggers = {}


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        parent = getLogger(name.rpartition(".")[0]) if "." in name else root
        _loggers[name] = Logger(name, parent)
    return _loggers[name]


def basicConfig(*, level=None, format=None, stream=None, handlers=None, force=False, **kwargs):
    if force:
        root.handlers.clear()
    if not root.handlers:
        for h in handlers or [StreamHandler(stream)]:
            if h.formatter is None:
                h.setFormatter(Formatter(format or "%(levelname)s:%(name)s:%(message)s"))
            root.addHandler(h)
    if level is not None:
        root.setLevel(level)


def debug(msg, *args, **kwargs):
    root.handlers or basicConfig()
    root.debug(msg, *args)


def info(msg, *args, **kwargs):
    root.handlers or basicConfig()
    root.info(msg, *args)


def warning(msg, *args, **kwargs):
    root.handlers or basicConfig()
    root.warning(msg, *args)


def error(msg, *args, **kwargs):
    root.handlers or basicConfig()
    root.error(msg, *args)


exception = critical = error


def disable(level=CRITICAL):
    pass


def captureWarnings(capture):
    pass
