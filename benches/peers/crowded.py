"""Solves the problems that the example `crowded` of barrow-solver writes with other solvers.

    python3 benches/peers/crowded.py FOLDER ANSWERS cpsat|cadical [SECONDS]

FOLDER holds the OPB files, ANSWERS what the example printed. Needs `pip install ortools python-sat`. CP-SAT takes
linear constraints as they are, CaDiCaL gets them in clauses, as decision diagrams. Prints for each board the value that the
solver found and its milliseconds, reading and encoding apart, and at the end whether the optima are equal.
"""

import sys
import time


def read(path):
    """Objective, constraints and number of variables; a constraint is a list of (coefficient, literal) and a degree."""
    objective, constraints, variables = [], [], 0
    for line in open(path):
        words = line.split()
        if line.startswith("*"):
            variables = int(words[2])
            continue
        if not words:
            continue
        is_objective = words[0] == "min:"
        tail = words[1:-1] if is_objective else words[:-3]
        terms = []
        for coefficient, name in zip(tail[::2], tail[1::2]):
            number = int(name.lstrip("~x"))
            terms.append((int(coefficient), -number if name[0] == "~" else number))
        if is_objective:
            objective = terms
        else:
            constraints.append((terms, int(words[-2])))
    return objective, constraints, variables


def clause_of(terms, degree):
    """The literals of a constraint that is a clause."""
    negative = sum(c for c, _ in terms if c < 0)
    if all(abs(c) == 1 for c, _ in terms) and degree - negative == 1:
        return [lit if c > 0 else -lit for c, lit in terms]
    return None


def with_cpsat(objective, constraints, variables, seconds):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = [None] + [model.new_bool_var("") for _ in range(variables)]
    of = lambda lit: x[lit] if lit > 0 else ~x[-lit]
    for terms, degree in constraints:
        clause = clause_of(terms, degree)
        if clause is not None:
            model.add_bool_or([of(lit) for lit in clause])
        elif all(c == -1 for c, _ in terms) and degree == -1:
            model.add_at_most_one([of(lit) for _, lit in terms])
        else:
            model.add(cp_model.LinearExpr.weighted_sum([of(lit) for _, lit in terms], [c for c, _ in terms]) >= degree)
    if objective:
        model.minimize(cp_model.LinearExpr.weighted_sum([of(lit) for _, lit in objective], [c for c, _ in objective]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    started = time.process_time()
    status = solver.solve(model)
    spent = time.process_time() - started
    values = [solver.boolean_value(of(lit)) for _, lit in objective] if status in (2, 4) else []
    value = sum(-c for (c, _), holds in zip(objective, values) if holds)
    return value, status == cp_model.OPTIMAL, spent


def diagram(terms, bound, top, clauses):
    """Adds the clauses of a decision diagram that the sum of positive coefficients reaches the bound."""
    rest = [0]
    for c, _ in reversed(terms):
        rest.append(rest[-1] + c)
    rest.reverse()
    nodes = {}

    def node(index, need):
        # A literal that implies that the terms from this one on reach what is needed; none if they surely do.
        nonlocal top
        if need <= 0:
            return None
        if (index, need) not in nodes:
            top += 1
            here = nodes[index, need] = top
            if need > rest[index]:
                clauses.append([-here])
                return here
            c, lit = terms[index]
            low, high = node(index + 1, need), node(index + 1, need - c)
            clauses.append([-here, lit, low])
            if high:
                clauses.append([-here, high])
        return nodes[index, need]

    clauses.append([node(0, bound)])
    return top


def with_cadical(objective, constraints, variables, seconds):
    from pysat.solvers import Cadical153

    top, clauses = variables, []
    for terms, degree in constraints:
        clause = clause_of(terms, degree)
        if clause is not None:
            clauses.append(clause)
            continue
        bound = degree - sum(min(c, 0) for c, _ in terms)
        if bound > 0:
            positive = sorted(((abs(c), lit if c > 0 else -lit) for c, lit in terms), reverse=True)
            top = diagram(positive, bound, top, clauses)
    value, granted = 0, []
    with Cadical153(bootstrap_with=clauses) as solver:
        started = time.process_time()
        for c, lit in sorted(objective):
            # The binding has no time limit: it is looked at between wishes.
            if time.process_time() - started > seconds:
                return value, False, time.process_time() - started
            if solver.solve(assumptions=granted + [lit]):
                granted.append(lit)
                value -= c
            else:
                granted.append(-lit)
        return value, True, time.process_time() - started


def main():
    folder, answers, name = sys.argv[1:4]
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 10.0
    solve = {"cpsat": with_cpsat, "cadical": with_cadical}[name]
    times, proved, worse, better = [], 0, 0, 0
    for line in open(answers):
        board, granted, decided, _ = line.split() if len(line.split()) == 4 else (line.split()[0], "0", *line.split()[1:])
        value, optimal, spent = solve(*read(f"{folder}/{board}.opb"), seconds)
        own, (done, wishes) = int(granted, 2), decided.split("/")
        times.append(spent * 1000)
        proved += optimal
        note = ""
        if optimal and value != own:
            better, worse = better + (own > value), worse + (own < value)
            note = f"  ours {own}, decided {decided}"
            if done == wishes or own > value:
                note += "  NOT EQUAL"
        print(f"{board} {value} {'optimal' if optimal else 'open'} {spent * 1000:.1f} ms{note}", flush=True)
    times.sort()
    at = lambda share: times[int((len(times) - 1) * share)]
    print(
        f"{len(times)} boards, {proved} proved, p50 {at(0.5):.1f} p90 {at(0.9):.1f} p99 {at(0.99):.1f} "
        f"max {at(1):.1f} ms, ours worse on {worse}, better on {better}"
    )


if __name__ == "__main__":
    main()
