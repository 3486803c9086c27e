#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Random small programs in GOAL with wildcards, and a plain search of all their orders: no order is left out for being like another one, and
# states are the same only if all of them is. Slots are without limit.
#
# usage: orders.py SEED NUMBER FOLDER: writes FOLDER/K.goal, and prints K.goal and "ends" or "open", and "long" or "fits"
import random
import sys

EAGER = 65535


def is_wild(rank):
    return any(o[0] == 'recv' and -1 in o[1:3] for o in rank)


def draw(rng):
    """Return the operations of each rank, (kind, peer, tag, size, requirements on earlier ones), of random messages."""
    nranks = rng.choice([2, 3, 3, 4])
    ranks = [[] for _ in range(nranks)]
    sizes = rng.choice([[8], [8], [8, 100000], [8, 16], [8, 9000]])
    for _ in range(rng.randint(2, 6)):
        a, b = rng.sample(range(nranks), 2)
        if rng.random() < 0.5:  # many messages to one rank
            a, b = max(a, b), min(a, b)
        tag, size = rng.randint(0, 1), rng.choice(sizes)
        ranks[a].append(['send', b, tag, size])
        wild = rng.random()
        if wild < 0.2:
            a = -1
        elif wild < 0.3:
            tag = -1
        elif wild < 0.5:
            a = tag = -1
        ranks[b].append(['recv', a, tag, size if rng.random() < 0.5 else max(sizes)])
    for rank in ranks:
        if rng.random() < 0.5:
            rng.shuffle(rank)
        chain = rng.random()
        for i, operation in enumerate(rank):
            operation.append([k for k in range(i) if rng.random() < chain and (k == i - 1 or rng.random() < 0.3)])
        if not is_wild(rank):  # the judge takes operations of one connection in the order in which they begin first
            for i, operation in enumerate(rank):
                operation[4] = [k for k in range(i) if k in operation[4] or rank[k][:3] == operation[:3]]
    return ranks


def write(ranks, path):
    with open(path, 'w', encoding='ascii') as file:
        print('num_ranks', len(ranks), file=file)
        for r, rank in enumerate(ranks):
            print(f'rank {r} {{', file=file)
            for i, (kind, peer, tag, size, _) in enumerate(rank):
                print(f'l{i}: {kind} {size}b {"to" if kind == "send" else "from"} {peer} tag {tag}', file=file)
            for i, operation in enumerate(rank):
                for k in operation[4]:
                    print(f'l{i} requires l{k}', file=file)
            print('}', file=file)


class Orders:
    """A state has, by rank, the operations begun in order, and of each operation the mate, and whether it is over."""

    def __init__(self, ranks):
        self.ranks, self.open, self.long = ranks, False, False
        self.wild = [is_wild(rank) for rank in ranks]
        self.waited = [{k for o in rank for k in o[4]} for rank in ranks]
        self.known = set()
        todo = [self.begin(([()] * len(ranks), {}, frozenset()))]
        while todo:
            state = todo.pop()
            if state in self.known:
                continue
            self.known.add(state)
            nexts = list(self.nexts(state))
            todo += nexts
            begun, mates, ended = state
            if not nexts and (len(ended) < sum(map(len, ranks)) or any(
                    o[0] == 'send' and not any(m == (r, i) for _, m in mates) for r, rank in enumerate(ranks) for i, o in enumerate(rank))):
                self.open = True

    def begin(self, state, over=()):
        """End the operations OVER; begin all that can, those that wait for one operation from the last one on; end those on which
        nothing waits, and those of plain ranks, whose messages are received at once."""
        begun, mates, ended = list(state[0]), dict(state[1]), set(state[2])
        first = not any(begun)
        ready = [(r, i) for r, rank in enumerate(self.ranks) for i, o in enumerate(rank) if first and not o[4]]
        over = list(over)
        while True:
            if over:
                r, k = over.pop(0)
                if (r, k) in ended:
                    continue
                ended.add((r, k))
                ready += [(r, i) for i in reversed(range(len(self.ranks[r])))
                          if k in self.ranks[r][i][4] and all((r, n) in ended for n in self.ranks[r][i][4])]
            elif ready:
                r, i = ready.pop(0)
                begun[r] += (i,)
            else:
                choice = next((c for r in range(len(self.ranks)) if not self.wild[r] for c in self.messages(begun, mates, r)), None)
                if not choice:
                    return tuple(begun), frozenset(mates.items()), frozenset(ended)
                self.receive(mates, *choice)
            over += [(r, i) for r, order in enumerate(begun) for i in order if (r, i) not in ended and (r, i) not in over
                     and self.is_over(r, i, mates) and (not self.wild[r] or i not in self.waited[r])]

    def is_over(self, r, i, mates):
        operation = self.ranks[r][i]
        if operation[0] == 'recv':
            return (r, i) in mates
        return operation[3] <= EAGER or (r, i) in mates.values()

    def messages(self, begun, mates, r):
        """Return what rank R can receive: the first message of each connection, by the first receive that fits."""
        taken, found = set(mates.values()), {}
        for a, order in enumerate(begun):
            for i in order:
                operation = self.ranks[a][i]
                if operation[:2] == ['send', r] and (a, i) not in taken:
                    found.setdefault((a, operation[2]), (a, i))
        for (a, tag), send in found.items():
            for i in begun[r]:
                operation = self.ranks[r][i]
                if operation[0] == 'recv' and (r, i) not in mates and operation[1] in (-1, a) and operation[2] in (-1, tag):
                    yield (r, i), send
                    break

    def receive(self, mates, receive, send):
        mates[receive] = send
        (r, i), (a, k) = receive, send
        _, peer, tag, size, _ = self.ranks[r][i]
        fitting = {(a, o[2]) for a, rank in enumerate(self.ranks) for o in rank if o[:2] == ['send', r] and peer in (-1, a) and tag in (-1, o[2])}
        # a receive of messages of several connections has the size of one of these
        self.long |= self.ranks[a][k][3] > size and (-1 not in (peer, tag) or len(fitting) == 1)

    def nexts(self, state):
        begun, mates, ended = list(state[0]), dict(state[1]), state[2]
        for r in range(len(self.ranks)):
            for choice in self.messages(begun, mates, r):
                after = dict(mates)
                self.receive(after, *choice)
                yield self.begin((begun, after, ended))
            for i in begun[r]:
                if (r, i) not in ended and self.is_over(r, i, mates):
                    yield self.begin((begun, mates, ended), [(r, i)])


def main():
    seed, number, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng, n = random.Random(seed), 0
    while n < number:
        ranks = draw(rng)
        if any(map(is_wild, ranks)):
            n += 1
            write(ranks, f'{folder}/{n}.goal')
            orders = Orders(ranks)
            print(f'{n}.goal', 'open' if orders.open else 'ends', 'long' if orders.long else 'fits')


main()
