# SPDX-License-Identifier: Apache-2.0

def heappush(heap, item):
    heap.append(item)
    _down(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if heap:
        result = heap[0]
        heap[0] = last
        _up(heap, 0)
        return result
    return last


def heapreplace(heap, item):
    result = heap[0]
    heap[0] = item
    _up(heap, 0)
    return result


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _up(heap, 0)
    return item


def heapify(x):
    for i in reversed(range(len(x) // 2)):
        _up(x, i)


def _down(heap, start, pos):
    new = heap[pos]
    while pos > start:
        parent = (pos - 1) >> 1
        if new < heap[parent]:
            heap[pos] = heap[parent]
            pos = parent
            continue
        break
    heap[pos] = new


def _up(heap, pos):
    end = len(heap)
    start = pos
    new = heap[pos]
    child = 2 * pos + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[pos] = heap[child]
        pos = child
        child = 2 * pos + 1
    heap[pos] = new
    _down(heap, start, pos)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def merge(*iterables, key=None, reverse=False):
    everything = []
    for it in iterables:
        everything.extend(it)
    return iter(sorted(everything, key=key, reverse=reverse))
