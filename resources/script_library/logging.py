# SPDX-License-Identifier: Apache-2.0
"""Loggers, handlers and formatters; records know the line that logged them."""
import string as _string
import sys as _sys
import time as _time
import traceback as _traceback

CRITICAL, ERROR, WARNING, INFO, DEBUG, NOTSET = 50, 40, 30, 20, 10, 0
FATAL, WARN = CRITICAL, WARNING
_NAMES = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
raiseExceptions = True
_start = _time.time()
_disabled = NOTSET


def getLevelName(level):
    if isinstance(level, str):
        return getLevelNamesMapping().get(level, f"Level {level}")
    return _NAMES.get(level, f"Level {level}")


def getLevelNamesMapping():
    return {**{name: n for n, name in _NAMES.items()}, "WARN": WARNING, "FATAL": CRITICAL}


def addLevelName(level, levelName):
    _NAMES[level] = levelName


def _number(level):
    if isinstance(level, str):
        names = getLevelNamesMapping()
        if level not in names:
            raise ValueError(f"Unknown level: {level!r}")
        return names[level]
    if not isinstance(level, int):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    return level


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        self.name, self.levelno, self.msg, self.args = name, level, msg, args
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            self.args = args[0]
        self.levelname = getLevelName(level)
        self.pathname, self.lineno, self.funcName = pathname, lineno, func
        self.filename = pathname.rpartition("/")[2]
        self.module = self.filename.rpartition(".")[0] or self.filename
        self.exc_info, self.exc_text, self.stack_info = exc_info, None, sinfo
        self.created = _time.time()
        self.msecs = int((self.created - int(self.created)) * 1000) + 0.0
        self.relativeCreated = (self.created - _start) * 1000
        self.thread, self.threadName, self.process, self.processName = 1, "MainThread", 1, "MainProcess"
        self.taskName = None

    def getMessage(self):
        return str(self.msg) % self.args if self.args else str(self.msg)

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'


def makeLogRecord(attributes):
    record = LogRecord(None, NOTSET, "", 0, "", (), None)
    record.__dict__.update(attributes)
    return record


class Formatter:
    converter = _time.localtime
    default_time_format, default_msec_format = "%Y-%m-%d %H:%M:%S", "%s,%03d"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self.datefmt, self._style, self._defaults = datefmt, style, defaults or {}

    def formatTime(self, record, datefmt=None):
        moment = _time.localtime(record.created)
        if datefmt:
            return _time.strftime(datefmt, moment)
        text = _time.strftime(self.default_time_format, moment)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, exc_info):
        return "".join(_traceback.format_exception(*exc_info)).removesuffix("\n")

    def usesTime(self):
        return "asctime" in self._fmt

    def formatMessage(self, record):
        values = {**self._defaults, **record.__dict__}
        if self._style == "%":
            return self._fmt % values
        return self._fmt.format(**values) if self._style == "{" else _string.Template(self._fmt).substitute(**values)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info):
            if more:
                text += ("" if text.endswith("\n") else "\n") + more
        return text


_plain = Formatter()


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class _Filtered:
    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for one in self.filters:
            found = one.filter(record) if hasattr(one, "filter") else one(record)
            if not found:
                return False
            if isinstance(found, LogRecord):
                record = found
        return record


class Handler(_Filtered):
    def __init__(self, level=NOTSET):
        self.level, self.formatter, self.filters, self.name = _number(level), None, [], None

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def acquire(self):
        pass

    release = acquire

    def handle(self, record):
        found = self.filter(record)
        if found:
            self.emit(record if found is True else found)
        return found

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handleError(self, record):
        _sys.stderr.write("--- Logging error ---\n" + _traceback.format_exc())

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def flush(self):
        pass

    def close(self):
        pass

    def __repr__(self):
        return f"<{type(self).__name__} ({getLevelName(self.level)})>"


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = _sys.stderr if stream is None else stream

    def setStream(self, stream):
        before, self.stream = self.stream, stream
        return before

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
        except Exception:
            self.handleError(record)

    def __repr__(self):
        name = getattr(self.stream, "name", "")
        return f"<{type(self).__name__} {name + ' ' if name else ''}({getLevelName(self.level)})>"


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        super().__init__(open(filename, mode))


class _LastResort(Handler):
    def emit(self, record):
        _sys.stderr.write(self.format(record) + "\n")


lastResort = _LastResort(WARNING)


class Logger(_Filtered):
    def __init__(self, name, level=NOTSET):
        self.name, self.parent, self.level, self.filters = name, None, _number(level), []
        self.handlers, self.propagate, self.disabled = [], True, False

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        log = self
        while log is not None:
            if log.level:
                return log.level
            log = log.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled and level >= self.getEffectiveLevel()

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        log = self
        while log is not None:
            if log.handlers:
                return True
            log = log.parent if log.propagate else None
        return False

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, value in (extra or {}).items():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            record.__dict__[key] = value
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        frames = [f for f in _native.frames() if not f[0].startswith("<")]
        file, line, function = (frames[min(stacklevel, len(frames)) - 1] if frames else ("(unknown file)", 0, ""))[:3]
        if exc_info:
            if isinstance(exc_info, BaseException):
                exc_info = type(exc_info), exc_info, exc_info.__traceback__
            elif not isinstance(exc_info, tuple):
                exc_info = _sys.exc_info()
        told = "Stack (most recent call last):\n" + "".join(_traceback.format_stack()) if stack_info else None
        self.handle(self.makeRecord(self.name, level, file, line, msg, args, exc_info, function, extra,
                                    told and told.rstrip("\n")))

    def handle(self, record):
        if self.disabled:
            return
        found = self.filter(record)
        if found:
            self.callHandlers(record if found is True else found)

    def callHandlers(self, record):
        log, found = self, False
        while log is not None:
            for handler in log.handlers:
                found = True
                if record.levelno >= handler.level:
                    handler.handle(record)
            log = log.parent if log.propagate else None
        if not found and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    fatal = critical

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


class RootLogger(Logger):
    pass


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    debug, info, warning, error, critical = Logger.debug, Logger.info, Logger.warning, Logger.error, Logger.critical

    @property
    def name(self):
        return self.logger.name


root = RootLogger("root", WARNING)
_loggers = {}
_class = Logger


def setLoggerClass(klass):
    global _class
    _class = klass


def getLoggerClass():
    return _class


def getLogger(name=None):
    if not name or name == "root":
        return root
    if not isinstance(name, str):
        raise TypeError("A logger name must be a string")
    if name not in _loggers:
        _loggers[name] = made = _class(name)
        outer = name.rpartition(".")[0]
        while outer and outer not in _loggers:
            outer = outer.rpartition(".")[0]
        made.parent = _loggers[outer] if outer else root
        for other, log in _loggers.items():
            if other.startswith(name + ".") and not (log.parent.name or "").startswith(name):
                log.parent = made
    return _loggers[name]


class Manager:
    loggerDict = _loggers


Logger.manager = Manager()


def basicConfig(*, level=None, format=None, datefmt=None, style="%", stream=None, filename=None, filemode="a",
                handlers=None, force=False, encoding=None, errors=None):
    if force:
        root.handlers.clear()
    if not root.handlers:
        if handlers is not None and (stream is not None or filename is not None):
            raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
        usual = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}", "$": "${levelname}:${name}:${message}"}
        formatter = Formatter(format or usual[style], datefmt, style)
        for handler in handlers or [FileHandler(filename, filemode) if filename else StreamHandler(stream)]:
            if handler.formatter is None:
                handler.setFormatter(formatter)
            root.addHandler(handler)
        if level is not None:
            root.setLevel(level)


def log(level, msg, *args, **kwargs):
    root.handlers or basicConfig()
    root.log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    log(DEBUG, msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    log(INFO, msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    log(WARNING, msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    log(ERROR, msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    log(ERROR, msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    log(CRITICAL, msg, *args, **kwargs)


fatal = critical


def disable(level=CRITICAL):
    global _disabled
    _disabled = _number(level)


def captureWarnings(capture):
    import warnings
    warnings._told = (lambda text: getLogger("py.warnings").warning("%s", text)) if capture else None


def shutdown(handlerList=None):
    pass
