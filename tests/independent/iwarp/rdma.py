# SPDX-License-Identifier: GPL-2.0-or-later
"""One end of an iWARP connection: it sets it up, posts messages, answers READs and atomics, refuses, and closes."""

import struct

import wire as w

CRC_ERROR = (2, 0, 2)
UNTAGGED_HEADER = 18


class Record:
    """What is written to TCP at once: a start frame, or one FPDU. begin and end are sequence numbers."""

    def __init__(self, kind, begin, data, opcode=None, message=None, index=0, last=False):
        self.kind, self.begin, self.end, self.data = kind, begin, begin + len(data), data
        self.opcode, self.message, self.index, self.last = opcode, message, index, last
        self.header = None  # of DDP, and what of RDMAP a Terminate copies
        self.front = 0      # bytes of a marker in front of the FPDU


class Message:
    """msn of untagged ones; stag and offset of tagged ones; sink, size and source of READs; source of atomics."""

    msn = stag = offset = sink = size = source = request = None
    invalidates = 0
    body = None   # what is not payload
    bad = None    # the reason that the other side has to refuse it
    asked = None  # what it answers

    def __init__(self, opcode, length, **given):
        self.opcode, self.length, self.records = opcode, length, []
        self.__dict__.update(given)


class End:
    def __init__(self, tcp, clock, rng, plan, initiates, conversation):
        self.tcp, self.clock, self.rng, self.plan, self.initiates = tcp, clock, rng, plan, initiates
        self.conversation = conversation
        tcp.app = self
        self.records, self.heard = [], 0
        self.messages, self.waiting = [], list(plan.posts)
        self.msn = dict.fromkeys(range(4), plan.first_msn)
        self.turns = ([], [])  # FPDUs of messages, and of answers
        self.outstanding, self.started, self.ready, self.may_send = [], False, False, False
        self.crc = self.marked = False
        self.full_from = None  # where FPDUs begin
        self.terminated = self.over = self.posting = False
        self.refused = None    # (reason, record, message), of who sent a Terminate
        self.crc_errors = 0

    # ---- set-up ----

    def opened(self):
        if self.plan.begun:
            self.crc, self.marked = self.plan.crc_used, self.peer.plan.markers
            self.full_from = self.tcp.begin - self.plan.marker_phase
            self.ready = True
            self.clock.at(self.clock.now + self.plan.think_ns, self.free)
        elif self.initiates:
            self.clock.at(self.clock.now + self.plan.think_ns, self.put_start, False)

    def put_start(self, reject):
        if self.tcp.closing or self.tcp.state == "dead":
            return
        data = w.start_frame(not self.initiates, self.plan, self.plan.crc, reject)
        self.put(Record("start", self.tcp.end_of_data(), data))
        self.started = True
        self.full_from = self.tcp.end_of_data()
        self.crc = self.plan.crc or self.peer.plan.crc
        self.marked = self.peer.plan.markers
        if reject:
            self.clock.at(self.clock.now + self.plan.think_ns, self.tcp.finish)

    def free(self):
        """From now on it may send FPDUs."""
        if not self.may_send:
            self.may_send = True
            self.post()

    def agreed_ready(self):
        both = [kind for kind in self.plan.ready if kind in self.peer.plan.ready]
        enhanced = self.plan.depths and self.peer.plan.depths and self.plan.peer_to_peer and self.peer.plan.peer_to_peer
        return both[0] if enhanced and both else None

    def put_ready(self):
        kind = self.agreed_ready()
        if kind == "send":
            self.send(Message(w.SEND, 0, msn=self.number(0)))
        elif kind == "write":
            self.send(Message(w.WRITE, 0, stag=1, offset=0))
        elif kind == "read":
            self.ask(0, (1, 0), (1, 0))

    # ---- messages ----

    def put(self, record):
        self.records.append(record)
        self.tcp.write(record.data)

    def number(self, queue):
        self.msn[queue] += 1
        return self.msn[queue]

    def payload(self, length):
        kind = self.plan.payload
        if kind == "zeros":
            return bytes(length)
        if kind == "fpdus" and self.records:  # what it sent before, as data: it looks like FPDUs, and is none
            before = self.records[self.rng.randrange(len(self.records))].data[:-4] + bytes(4)  # no CRC vouches for it
            return (before * (length // len(before) + 1))[:length]
        return self.rng.randbytes(length)

    def size_of_fpdu(self):
        """Payload of one FPDU at the most."""
        if self.plan.fpdu == "mss":
            room = self.tcp.mss() - 2 - 4 - 3 - UNTAGGED_HEADER
            return room - (4 * (room // 500 + 2) if self.marked else 0)
        return self.plan.fpdu

    def send(self, message):
        """All FPDUs of a message, unless it is too late; answers and other messages may take turns."""
        if self.tcp.closing or self.tcp.state == "dead":
            return
        if message.opcode == w.TERMINATE:
            self.take_turns()
        self.messages.append(message)
        turns = self.turns[message.opcode in (w.READ_RESPONSE, w.ATOMIC_ANSWER)]
        turns.append(self.fpdus(message))
        if not self.plan.interleaves or message.opcode == w.TERMINATE:
            self.take_turns()
        else:
            self.clock.at(self.clock.now + self.plan.turn_ns, self.take_turns)

    def take_turns(self):
        while any(self.turns):
            for turns in self.turns:
                if turns and next(turns[0], None) is None:
                    turns.pop(0)

    def fpdus(self, message):
        """Puts one FPDU for each step."""
        if self.tcp.closing or self.tcp.state == "dead":
            self.messages.remove(message)
            return
        most, at, version = max(self.size_of_fpdu(), 64), 0, self.plan.rdmap_version
        while True:
            length = min(most, message.length - at)
            last = at + length == message.length
            if message.opcode in w.TAGGED:
                header = w.tagged(message.opcode, last, version, message.stag, message.offset + at)
                body = self.payload(length)
            else:
                header = w.untagged(message.opcode, last, version, message.msn, at, message.invalidates)
                body = self.payload(length) if message.body is None else message.body
            self.put_fpdu(message, header, body, last)
            at += length
            if last:
                return
            yield message

    def put_fpdu(self, message, header, body, last):
        at = self.tcp.end_of_data() - self.full_from
        data = w.fpdu(at, header + body, self.plan.crc_field if not self.crc else "on", self.marked)
        record = Record("fpdu", self.tcp.end_of_data(), data, message.opcode, message, len(message.records), last)
        record.header, record.length = header, len(header) + len(body)
        record.rdmap = body if message.opcode == w.READ_REQUEST else None
        record.front = 4 if self.marked and at % w.MARKER_EVERY == 0 else 0
        message.records.append(record)
        self.put(record)

    def ask(self, size, sink, source, bad=None):
        message = Message(w.READ_REQUEST, 28, msn=self.number(1), sink=sink, source=source, size=size, bad=bad,
                          body=w.read_request(sink, size, source))
        self.outstanding.append(message)
        self.send(message)

    def post(self):
        """The next of what the application has to send, when it is due and there is room."""
        if self.over or self.terminated or not self.may_send or self.posting:
            return
        if not self.waiting:
            self.finish_if_done()
            return
        wait, kind = self.waiting[0].wait_ns, self.waiting[0].kind
        if kind in ("read", "atomic") and len(self.outstanding) >= self.depth():
            return  # goes on with an answer
        self.posting = True
        self.clock.at(self.clock.now + wait, self.post_now)

    def depth(self):
        most = self.plan.reads
        if self.plan.depths and self.peer.plan.depths:
            most = min(most, self.plan.depths[1], self.peer.plan.depths[0])
        return max(most, 1)

    def post_now(self):
        self.posting = False
        if self.over or self.terminated:
            return
        p = self.waiting.pop(0)
        if p.kind == "write":
            self.send(Message(w.WRITE, p.length, stag=p.stag, offset=p.offset, bad=p.bad))
        elif p.kind == "send":
            self.send(Message(p.opcode, p.length, msn=self.number(0), invalidates=p.stag, bad=p.bad))
        elif p.kind == "immediate":
            self.send(Message(p.opcode, 8, msn=self.number(0), bad=p.bad))
        elif p.kind == "read":
            self.ask(p.length, p.sink, (p.stag, p.offset), p.bad)
        else:
            number = self.msn[1] & 0xFFFF
            message = Message(w.ATOMIC, 52, msn=self.number(1), request=number, bad=p.bad, source=(p.stag, 0),
                              body=w.atomic_request(p.operation, number, (p.stag, p.offset & ~7)))
            self.outstanding.append(message)
            self.send(message)
        self.post()

    def finish_if_done(self):
        if self.plan.closes == "done" and not self.outstanding and not self.over:
            self.over = True
            self.clock.at(self.clock.now + self.plan.think_ns, self.close)

    def close(self):
        if self.plan.close_by == "reset":
            self.tcp.reset()
        else:
            self.tcp.finish()

    def leave(self):
        """Whatever is under way: a process that dies."""
        if self.tcp.state == "open" and not self.over:
            self.over = True
            self.close()

    # ---- what comes in ----

    def received(self, upto):
        peer = self.peer
        while self.heard < len(peer.records) and peer.records[self.heard].end <= upto and self.tcp.state != "dead":
            record = peer.records[self.heard]
            self.heard += 1
            begin = record.begin - self.tcp.peer_begin
            self.take(record, self.tcp.inbox[begin:begin + len(record.data)])
        if self.tcp.peer_fin is not None and self.tcp.due > self.tcp.peer_fin:
            self.over = True
            self.clock.at(self.clock.now + self.plan.think_ns, self.tcp.finish)

    def take(self, record, data):
        if self.terminated:
            return
        if record.kind == "start":
            self.take_start(data == record.data)
        elif data == record.data:
            self.take_fpdu(record)
        elif self.crc:
            self.crc_errors += 1
            self.refuse(CRC_ERROR, record, None)
        elif self.rng.random() < 0.5:  # what is not checked may be taken, or make no sense
            self.tcp.reset()
        else:
            self.take_fpdu(record)

    def take_start(self, whole):
        if not whole:
            self.tcp.reset()
        elif not self.initiates:
            self.ready = True
            self.clock.at(self.clock.now + self.plan.think_ns, self.put_start, self.plan.rejects)
        elif not self.peer.plan.rejects:
            self.put_ready()
            self.clock.at(self.clock.now + self.plan.think_ns, self.free)

    def take_fpdu(self, record):
        message = record.message
        self.clock.at(self.clock.now + self.plan.turn_ns, self.free)
        if message.bad and record.index == 0:
            self.refuse(message.bad, record, message)
        elif record.opcode == w.TERMINATE:
            self.terminated = self.over = True
            self.clock.at(self.clock.now + self.plan.turn_ns, self.close)
        elif record.last and record.opcode in (w.READ_REQUEST, w.ATOMIC):
            self.clock.at(self.clock.now + self.plan.turn_ns, self.answer, message)
        elif record.last and record.opcode in (w.READ_RESPONSE, w.ATOMIC_ANSWER):
            if message.asked in self.outstanding:
                self.outstanding.remove(message.asked)
            self.post()

    def answer(self, asked):
        if self.terminated or self.tcp.state == "dead" or self.tcp.closing:
            return
        if asked.opcode == w.READ_REQUEST:
            self.send(Message(w.READ_RESPONSE, asked.size, stag=asked.sink[0], offset=asked.sink[1], asked=asked))
        else:
            self.send(Message(w.ATOMIC_ANSWER, 12, msn=self.number(3), asked=asked,
                              body=struct.pack(">IQ", asked.request, 7)))

    def refuse(self, reason, record, message):
        self.terminated = self.over = True
        self.refused = reason, record, message
        if self.rng.random() < self.plan.silent_end:
            self.refused = None
            self.close()
            return
        swapped, copies = self.plan.terminate_swapped, reason is not CRC_ERROR
        body = w.terminate(reason, swapped, record.length, record.header if copies else None,
                           record.rdmap if copies else None)
        self.send(Message(w.TERMINATE, len(body), msn=self.number(2), body=body))
        self.clock.at(self.clock.now + self.plan.turn_ns, self.close)

    def closed(self):
        self.over = True
