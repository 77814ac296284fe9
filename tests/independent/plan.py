# SPDX-License-Identifier: GPL-2.0-or-later
"""What a seed is made of: hosts, QPs and their habits, links with their faults, and the tap."""

from types import SimpleNamespace as Plan


def spread(rng, least, most):
    """Small values as often as large ones."""
    return least * (most / least) ** rng.random()


def chance(rng, probability, value, other=0):
    return value if rng.random() < probability else other


def draw_link(rng, faults, far_ns, before):
    """One way between a host and the tap; of each fault about half of the links that it is drawn for have it."""
    has = {fault: fault in faults and rng.random() < 0.6 for fault in sorted(FAULTS)}
    paths = [int(far_ns)]
    if has["spray"]:
        paths += [int(far_ns + spread(rng, 500, 200_000)) for _ in range(rng.randrange(1, 8))]
    dead = []
    if has["dead"]:
        start = rng.random() * 5e6
        dead = [(start, start + (spread(rng, 1e5, 3e9) if rng.random() < 0.7 else 1e18))]
    return Plan(
        paths_ns=paths, spray=rng.choice(["packet", "packet", "flow", "flowlet"]), flowlet_ns=spread(rng, 1e3, 1e5),
        jitter_ns=spread(rng, 1, 3000), dead_ns=dead,
        lose=chance(rng, has["lose"], spread(rng, 0.001, 0.15)),
        lose_ack=chance(rng, has["lose_answers"], spread(rng, 0.01, 0.6), chance(rng, has["lose"], 0.02)),
        lose_nak=chance(rng, has["lose_answers"], spread(rng, 0.05, 0.8), chance(rng, has["lose"], 0.02)),
        burst_begin=chance(rng, has["burst"], spread(rng, 0.001, 0.03)), burst_end=spread(rng, 0.05, 0.7),
        late=chance(rng, has["late"], spread(rng, 0.001, 0.05)), late_least_ns=6000,
        late_most_ns=rng.choice([60_000, 400_000, 3_000_000, 40_000_000]),
        copy=chance(rng, has["copy"], spread(rng, 0.002, 0.2)), copy_ns=spread(rng, 100, 2e6),
        damage=chance(rng, has["damage"], spread(rng, 0.002, 0.1)), before=before)


def draw_requester(rng):
    timer = rng.choice(["constant", "constant", "ladder", "short"])
    return Plan(
        window=int(spread(rng, 2, 256)), reads=rng.choice([1, 2, 4, 16]), gap_ns=spread(rng, 10, 5000),
        ask_every=rng.choice([0, 0, 1, 2, 8]), timer="ladder" if timer == "ladder" else "constant",
        timeout_ns=spread(rng, 1.05e6, 8e6) if timer == "short" else spread(rng, 8e6, 5e8),
        retries=rng.randrange(1, 8), rnr_retries=rng.choice([7, 7, 7, 0, 2, 5]), react_ns=spread(rng, 500, 400_000),
        stops_to_react=rng.random() < 0.5, skips=rng.random() < 0.8, implied=rng.random() < 0.8,
        read_from_start=rng.random() < 0.4)


def draw_responder(rng, faults):
    starved = "rnr" in faults and rng.random() < 0.7
    return Plan(
        first_msn=0, turn_ns=spread(rng, 200, 20_000), ack_delay_ns=rng.choice([0, 0, spread(rng, 500, 50_000)]),
        acks_all_duplicates=rng.random() < 0.7, starved=chance(rng, starved, spread(rng, 0.02, 0.5)),
        starved_ns=spread(rng, 5e3, 2e7), rnr_code=rng.randrange(1, 19))


def draw_messages(rng, mtu):
    """(pause before it, kind, length); a QP's application posts them in batches."""
    kinds = rng.choice([["write"], ["send"], ["read"], ["write", "send"], ["write", "read"], ["atomic", "send"],
                        ["write", "send", "read", "atomic"], ["write", "send", "read", "atomic"]])
    most = rng.choice([1, 3, 8, 24])
    posts = []
    pause_ns = spread(rng, 1e3, 3e6)
    for number in range(int(spread(rng, 3, 80))):
        kind = rng.choice(kinds)
        length = 8 if kind == "atomic" else rng.randrange(1, most * mtu + 1)
        wait = pause_ns * rng.random() if number % rng.randrange(1, 9) == 0 else 0
        posts.append((wait, kind, length, 0x10000000 + 8 * rng.randrange(4) if kind == "atomic" else
                      0x20000000 + number * 0x100000))
    return posts


FAULTS = ("lose", "lose_answers", "burst", "spray", "late", "copy", "damage", "dead", "rnr")


def draw_qps(rng, hosts, faults):
    same_psn = rng.random() < 0.35
    first = rng.choice([0, 0, rng.randrange(1 << 24), (1 << 24) - rng.randrange(1, 60)])
    begun = rng.random() < 0.3
    qps = []
    for number in range(rng.choice([1, 1, 2, 2, 3, 4])):
        ends = [0, rng.randrange(1, hosts)]
        rng.shuffle(ends)
        mtu = rng.choice([256, 512, 1024, 2048, 4096])
        asks = rng.choice([(True, False), (True, False), (False, True), (True, True)])
        qp = Plan(hosts=ends, mtu=mtu, qpn=[0x100 + number * 3, 0x200 + number * 5], port=0xC000 + rng.randrange(16384),
                  psn=[first if same_psn else rng.randrange(1 << 24) for _ in range(2)],
                  requester=[draw_requester(rng) for _ in range(2)],
                  responder=[draw_responder(rng, faults) for _ in range(2)],
                  posts=[draw_messages(rng, mtu) if asks[i] else [] for i in range(2)],
                  begin_ns=spread(rng, 1, 2e6), anew=None)
        if begun:
            for responder in qp.responder:
                responder.first_msn = rng.randrange(1 << 24)
        if rng.random() < 0.06:
            qp.anew = Plan(pause_ns=spread(rng, 6e7, 2e9), same_psn=rng.random() < 0.5,
                           posts=[draw_messages(rng, mtu) if asks[i] else [] for i in range(2)])
        qps.append(qp)
    return qps


def draw_tap(rng):
    whole = rng.random() < 0.5
    return Plan(
        miss=chance(rng, not whole and rng.random() < 0.3, spread(rng, 0.001, 0.05)),
        begin=chance(rng, not whole and rng.random() < 0.4, rng.random()),
        end=chance(rng, not whole and rng.random() < 0.4, rng.random(), 1),
        mirror_ns=chance(rng, not whole and rng.random() < 0.15, spread(rng, 1, 100_000)),
        late_host=chance(rng, not whole and rng.random() < 0.3, rng.randrange(2), None), late_ns=30_000,
        round_ns=chance(rng, not whole and rng.random() < 0.3, rng.choice([1000, 10_000, 1_000_000]), 1))


def draw(rng):
    faults = {fault for fault in FAULTS if rng.random() < rng.choice([0.1, 0.3])}
    if rng.random() < 0.6:
        faults.add("lose")
    hosts = rng.choice([2, 2, 2, 3])
    near_ns = spread(rng, 200, 100_000)
    far_ns = near_ns if rng.random() < 0.4 else spread(rng, 200, 500_000)
    ident = rng.choice(["host", "host", "qp", "zero", "random"])
    rate_bps = rng.choice([10, 25, 100, 400]) * 1_000_000_000
    return Plan(
        faults=sorted(faults), rate_bps=rate_bps,
        hosts=[Plan(ident=ident if rng.random() < 0.9 else "random", rate_bps=rate_bps,
                    ident_others=rng.choice([0, 0, 0.05, 0.5])) for _ in range(hosts)],
        to_tap=[draw_link(rng, faults, far_ns if host else near_ns, True) for host in range(hosts)],
        from_tap=[draw_link(rng, faults, far_ns if host else near_ns, False) for host in range(hosts)],
        qps=draw_qps(rng, hosts, faults), tap=draw_tap(rng))
