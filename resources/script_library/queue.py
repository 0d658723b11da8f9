# SPDX-License-Identifier: Apache-2.0
# queue: queues of one thread; one that would wait for another raises Empty or Full.
import heapq
from collections import deque


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self.queue = self._made()

    def _made(self):
        return deque()

    def _add(self, item):
        self.queue.append(item)

    def _take(self):
        return self.queue.popleft()

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            raise Full
        self._add(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty
        return self._take()

    def put_nowait(self, item):
        self.put(item)

    def get_nowait(self):
        return self.get()

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        pass


class LifoQueue(Queue):
    def _made(self):
        return []

    def _take(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    def _made(self):
        return []

    def _add(self, item):
        heapq.heappush(self.queue, item)

    def _take(self):
        return heapq.heappop(self.queue)


SimpleQueue = Queue
