# SPDX-License-Identifier: GPL-2.0-or-later
"""What is true of one side of a connection, and of what its capture shows of it."""

import wire as w


class Shown:
    """A frame with what one side sent: its number, the bytes from begin to end, and the segments that it is made of."""

    def __init__(self, number, parts):
        self.number, self.parts = number, parts
        self.begin, self.end = parts[0][0].seq, parts[-1][0].end()
        self.wrong = any(damage and damage[0] == "wrong" for _, damage in parts)
        self.silent = any(damage and damage[0] == "silent" for _, damage in parts)
        self.repeats = any(s.repeats for s, _ in parts)
        self.again = any(s.shown[0][0] != number for s, _ in parts)  # a link or a mirror copied it
        self.zero = parts[-1][0].window == 0 and not parts[0][0].flags & (w.RST | w.SYN)


class Side:
    def __init__(self, scene, app, frames):
        self.scene, self.app, self.tcp, self.frames = scene, app, app.tcp, frames
        self.data = [f for f in frames if f.end > f.begin]
        self.fpdus = [r for r in app.records if r.kind == "fpdu"]

    def count(self, test):
        return sum(map(bool, map(test, self.data)))

    def repeated(self):
        """Frames with some bytes that were shown before."""
        return sum(any(f.begin < g.end and f.end > g.begin for g in self.data[:i]) for i, f in enumerate(self.data))

    def late(self):
        """Frames with bytes below some that were shown before, or that a frame without data tells of."""
        highest, count = 0, 0
        for f in self.frames:
            count += f.begin < highest and f.end > f.begin
            highest = max(highest, f.end)
        return count

    def overtaken(self):
        """Frames that show what was sent before something that was shown earlier."""
        latest, count = -1, 0
        for f in self.data:
            count += f.parts[0][0].number < latest
            latest = max(latest, f.parts[-1][0].number)
        return count

    def late_again(self):
        highest, count = 0, 0
        for f in self.frames:
            count += f.begin < highest and f.repeats
            highest = max(highest, f.end)
        return count

    def not_aligned(self):
        """FPDUs that some frame shows inside, behind a part of another that began before."""
        fronts = {r.begin for r in self.app.records} | {r.begin + r.front for r in self.fpdus}
        count = 0
        for r in self.fpdus:
            head = r.begin + r.front
            count += any(f.begin < head < f.end and f.begin not in fronts for f in self.data)
        return count

    def damaged_fpdus(self):
        return sum(any(f.silent and f.begin < r.end and f.end > r.begin for f in self.data) for r in self.fpdus)

    def first_frames(self, record):
        """Numbers of frames that show where a record begins."""
        head = record.begin + record.front
        return {f.number for f in self.data if f.begin <= head < f.end and not f.wrong}

    def is_shown(self, record):
        at = record.begin
        for f in sorted(self.data, key=lambda f: f.begin):
            if f.begin <= at < f.end and not f.wrong:
                at = f.end
        return at >= record.end

    def sent_by(self, when, seq):
        """Whether the byte in front of seq was sent by then."""
        return any(s.sent_ns <= when and s.seq < seq <= s.end() for s in self.scene.sent
                   if s.conversation == self.app.conversation and s.side == self.tcp.side)

    def arrived_by(self, when, seq):
        return any(s.seq < seq <= s.end() and any(t <= when for t in s.arrived) for s in self.scene.sent
                   if s.conversation == self.app.conversation and s.side == self.tcp.side)

    def closed_at(self):
        ends = [s.sent_ns for s in self.scene.sent if s.flags & (w.FIN | w.RST)
                and s.conversation == self.app.conversation and s.side == self.tcp.side]
        return min(ends, default=None)


def sides(scene):
    """Pairs of sides, by connection."""
    frames = {}
    for number, (_, _, _, parts) in enumerate(scene.records, 1):
        key = parts[0][0].conversation, parts[0][0].side
        frames.setdefault(key, []).append(Shown(number, parts))
    return [tuple(Side(scene, app, frames.get((number, i), [])) for i, app in enumerate(pair))
            for number, pair in enumerate(scene.pairs)]
