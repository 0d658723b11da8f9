# SPDX-License-Identifier: Apache-2.0
# signal: the names of Linux's signals. No handler ever runs: a script gets none of them.
import enum as _enum


class Signals(_enum.IntEnum):
    SIGHUP = 1
    SIGINT = 2
    SIGQUIT = 3
    SIGILL = 4
    SIGTRAP = 5
    SIGABRT = 6
    SIGBUS = 7
    SIGFPE = 8
    SIGKILL = 9
    SIGUSR1 = 10
    SIGSEGV = 11
    SIGUSR2 = 12
    SIGPIPE = 13
    SIGALRM = 14
    SIGTERM = 15
    SIGCHLD = 17
    SIGCONT = 18
    SIGSTOP = 19
    SIGTSTP = 20
    SIGWINCH = 28


class Handlers(_enum.IntEnum):
    SIG_DFL = 0
    SIG_IGN = 1


globals().update({s.name: s for s in [*Signals, *Handlers]})


def default_int_handler(number, frame):
    raise KeyboardInterrupt


_handlers = {s: Handlers.SIG_DFL for s in Signals}
_handlers[Signals.SIGINT] = default_int_handler


def signal(number, handler):
    before = _handlers.get(number)
    _handlers[Signals(number)] = handler
    return before


def getsignal(number):
    return _handlers.get(number)


def alarm(seconds):
    return 0


def strsignal(number):
    return Signals(number).name
