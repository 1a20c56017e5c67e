import { InvalidArgumentError } from '../../base/errors.js';
import type { Expression } from '../../languages/expression/index.js';
import { type Inputs, misfit } from '../../languages/inputs/index.js';
import { PERMITTED, type PolicyExample, type PolicySpecification } from '../../rules/specification/index.js';
import { loadParts, type Policy, type PolicyRule } from '../../runtime/policy/index.js';
import {
  type Assignment,
  DEFAULT_STEPS,
  Decider,
  holds,
  SameOrder,
  substituted,
} from '../../solvers/decide/index.js';
import { type Claim, Rechecker, sizeOfCertificate } from '../../solvers/recheck/index.js';
import { Answers, type Evidence, type SolverUse } from './answers.js';
import {
  all,
  any,
  type Conditions,
  conditionOf,
  isFalse,
  isNone,
  isTrue,
  not,
  permits,
  renamed,
} from './claims.js';
import type { Obligation, ObligationKind, Verdict } from './obligation.js';
import { sessionExpressions, sessionObligations } from './sessionProperties.js';
import { type SpecificationScore, scoreOf } from './specificationScore.js';

/** The obligations of policies, and what became of each. */
export interface PolicyReport {
  /** SHA-256 of the policies that were verified. */
  readonly hash: string;
  readonly obligations: readonly Obligation[];
  /** By policy, how many slips in it the properties and examples would notice; empty unless it was asked for. */
  readonly scores: Readonly<Record<string, SpecificationScore>>;
  /** Whether each obligation that is more than a remark is proved. */
  readonly verified: boolean;
}

/** Settings of `verifyPolicies`, with the outside solvers that it may ask. */
export interface VerifyPoliciesOptions extends SolverUse {
  /**
   * Most steps of the decider for one obligation; default 20,000,000. Beyond, it is unproved. A step is a move of an automaton, an element added to a list, or a
   * part of a formula that is evaluated; steps are counted, not time, so that verdicts are the same on every machine.
   */
  readonly steps?: number;
  /**
   * Whether each `proved` that holds for every input is looked through again by a checker that shares no code with the decider; what it does not confirm is
   * unproved, and so is what outside solvers prove, who give no certificate. Default false.
   */
  readonly recheck?: boolean;
  /** Whether such obligations have their certificates, of at most 2,000,000 numbers each. Default false. */
  readonly certificates?: boolean;
  /** Whether properties and examples are judged by changed policies (`mutant`). Default false: it takes longer than all other obligations. */
  readonly mutants?: boolean;
}

/** Most numbers of a certificate. */
const MOST_NUMBERS = 2_000_000;

/**
 * Verifies policies: that each property follows from what a policy permits and denies, for every input of the declared types; and that the policy and its
 * properties are not void. Decided by texts as automata, numbers as cells, and small lists ([semantics](../../../docs/policies.md)); what this leaves open, by outside
 * solvers, if there are any. Without these the same policies give the same report, however fast the machine.
 *
 * @throws InvalidArgumentError (rejects) for a number of steps that is none, or if more solvers must agree than there are; SolverError (rejects) if two outside
 * solvers contradict each other
 */
export async function verifyPolicies(
  specification: PolicySpecification,
  options: VerifyPoliciesOptions = {},
): Promise<PolicyReport> {
  const { steps = DEFAULT_STEPS } = options;
  if (!Number.isSafeInteger(steps) || steps < 1)
    throw new InvalidArgumentError(`steps must be a whole number from 1, found ${steps}`);
  await loadParts(specification.set, [
    ...specification.ensures.map(({ parsed }) => parsed),
    ...sessionExpressions(specification.session),
  ]);
  const inputs: Inputs = Object.fromEntries(specification.set.inputs.map((input) => [input.name, input]));
  const verifiers = specification.set.policies.map(
    (policy) => new PolicyVerifier(specification, policy, inputs, options),
  );
  const obligations: Obligation[] = [];
  for (const verifier of verifiers) obligations.push(...(await verifier.obligations()));
  obligations.push(...sessionObligations(specification, { steps, recheck: options.recheck ?? false }));
  const verified = obligations.every(({ verdict, isRemark }) => verdict === 'proved' || isRemark);
  const scores = Object.fromEntries(
    verifiers.flatMap(({ policy, score }) => (score ? [[policy, score]] : [])),
  );
  return { hash: specification.hash, obligations, scores, verified };
}

/** The name of a second value of an input, which no input has. */
function otherNameOf(input: string): string {
  return `${input}'`;
}

/** Obligations that are about the lines of a script, where the policy is one. */
const IN_SCRIPTS: readonly ObligationKind[] = ['permitsSomething', 'reachable', 'readable'];

/** What an obligation says beside its verdict. */
interface Found {
  readonly input?: Assignment;
  readonly line?: number;
  readonly evidence?: Evidence;
}

/** Of what is run, not proved. */
const NOBODY: Evidence = { by: [] };

class PolicyVerifier {
  /** How many slips are noticed, once the obligations have been looked at. */
  score: SpecificationScore | undefined;
  readonly #specification: PolicySpecification;
  readonly #policy: Policy;
  readonly #inputs: Inputs;
  /** The inputs, and second values of those that anybody may choose. */
  readonly #withCopies: Inputs;
  readonly #options: VerifyPoliciesOptions;
  readonly #decider: Decider;
  readonly #answers: Answers;
  readonly #rechecker: Rechecker;
  /** How conditions and properties are written for the decider. */
  readonly #same: SameOrder;
  readonly #conditions: Conditions;
  /** What is taken for granted of the inputs. */
  readonly #given: Claim;
  readonly #permits: Claim;
  /** What properties say of calls that are permitted, and of those that are denied. */
  readonly #properties: ReadonlyMap<string, { readonly permitted: Expression; readonly denied: Expression }>;

  constructor(
    specification: PolicySpecification,
    policy: Policy,
    inputs: Inputs,
    options: VerifyPoliciesOptions,
  ) {
    this.#specification = specification;
    this.#policy = policy;
    this.#inputs = inputs;
    const copies = specification.set.inputs.flatMap((input) =>
      input.untrusted === true ? [[otherNameOf(input.name), input]] : [],
    );
    this.#withCopies = { ...inputs, ...Object.fromEntries(copies) };
    this.#options = options;
    this.#decider = new Decider(this.#withCopies, { steps: options.steps ?? DEFAULT_STEPS });
    this.#answers = new Answers((claim) => this.#decider.find(claim));
    this.#rechecker = new Rechecker(this.#withCopies);
    const { requires } = policy;
    const rules = [...policy.permit, ...policy.forbid, ...(requires === null ? [] : [requires])].map(
      conditionOf,
    );
    const written = specification.ensures.filter((one) => one.policy === policy.name);
    this.#same = new SameOrder(inputs, [...rules, ...written.map(({ parsed }) => parsed)]);
    const condition = (rule: PolicyRule): Expression => this.#same.of(conditionOf(rule));
    this.#conditions = { permit: policy.permit.map(condition), forbid: policy.forbid.map(condition) };
    this.#given = requires === null ? all() : isTrue(condition(requires));
    this.#permits = all(this.#given, permits(this.#conditions));
    this.#properties = new Map(
      written.map(({ name, parsed }) => {
        const property = this.#same.of(parsed);
        const [permitted, denied] = [true, false].map((value) => substituted(property, PERMITTED, value));
        return [name, { permitted, denied }];
      }),
    );
    const properties = [...this.#properties.values()].flatMap(({ permitted, denied }) => [permitted, denied]);
    const { permit, forbid } = this.#conditions;
    this.#decider.foresee(this.#given, ...[...permit, ...forbid, ...properties].map(isTrue));
  }

  get policy(): string {
    return this.#policy.name;
  }

  async obligations(): Promise<Obligation[]> {
    this.#asked();
    await this.#answers.settle(this.#withCopies, this.#options);
    const found = this.#asked();
    return this.#options.mutants === true ? [...found, ...this.#mutants(found)] : found;
  }

  /** All obligations but mutants, by the answers that there are. */
  #asked(): Obligation[] {
    const { name } = this.#policy;
    const { ensures, examples } = this.#specification;
    return [
      ...(this.#policy.requires === null ? [] : [this.#requires()]),
      this.#permitsSomething(),
      ...ensures.filter(({ policy }) => policy === name).flatMap((property) => this.#ensures(property)),
      ...examples.filter(({ policy }) => policy === name).map((example) => this.#example(example)),
      ...this.#rules(),
      ...this.#untrusted(),
    ];
  }

  /** Whether the policy decides otherwise of another value of an input that anybody may choose. */
  #untrusted(): Obligation[] {
    const { set } = this.#specification;
    const read = set.inputs.filter(
      ({ name, untrusted }) => untrusted === true && this.#policy.reads.includes(name),
    );
    return read.map(({ name }) => {
      const other = otherNameOf(name);
      const claim = all(this.#permits, not(renamed(this.#permits, name, other)));
      const obligation = this.#none('untrusted', name, claim, (input) => {
        const [permitted, denied] = [input[name], input[other]].map((value) => JSON.stringify(value));
        return `the policy permits ${JSON.stringify(this.#read(input))}, and denies the same with ${denied} in place of ${permitted}: whoever chooses ${name} chooses what is permitted`;
      });
      return { ...obligation, isRemark: true };
    });
  }

  /** Changed policies that the properties and examples accept as well. */
  #mutants(found: readonly Obligation[]): Obligation[] {
    const { ensures, examples } = this.#specification;
    const { name } = this.#policy;
    const { score, survivors } = scoreOf(
      {
        inputs: this.#inputs,
        policy: this.#policy,
        conditions: this.#conditions,
        given: this.#given,
        properties: ensures
          .filter(({ policy }) => policy === name)
          .map(({ parsed }) => this.#same.of(parsed)),
        examples: examples
          .filter(({ policy }) => policy === name)
          .map(({ inputs, expect }) => ({ ...this.#whole(inputs), isPermitted: expect === 'permit' }))
          .filter(({ wrong }) => wrong === null),
        known: found.flatMap(({ input }) => (input === undefined ? [] : [this.#whole(input).input])),
        permitted: PERMITTED,
      },
      { steps: this.#options.steps ?? DEFAULT_STEPS },
    );
    this.score = score;
    return survivors.map(({ change, input, isPermitted }) => {
      const says = `the properties and examples also accept a policy that ${isPermitted ? 'permits' : 'denies'} ${JSON.stringify(this.#read(input))}`;
      return { ...this.#obligation('mutant', change, 'refuted', says, { input }), isRemark: true };
    });
  }

  #requires(): Obligation {
    return this.#exists(
      'requires',
      'requires',
      this.#given,
      'no input has what is required, so everything follows from it',
    );
  }

  #permitsSomething(): Obligation {
    const claim = all(this.#given, this.#permits);
    return this.#exists('permitsSomething', 'permit', claim, 'the policy denies every call');
  }

  #ensures({ name, line }: { name: string; line: number }): Obligation[] {
    const { permitted, denied } = this.#properties.get(name)!;
    const broken = any(
      all(this.#permits, not(isTrue(permitted))),
      all(not(this.#permits), not(isTrue(denied))),
    );
    const obligation = this.#none('ensures', name, broken, (input) => {
      const decision = holds(this.#permits, input) ? 'permits' : 'denies';
      return `the policy ${decision} ${JSON.stringify(this.#read(input))}, and the property does not hold there`;
    });
    const bites = this.#exists(
      'bites',
      name,
      any(not(isTrue(permitted)), not(isTrue(denied))),
      'whatever a policy decides, it has this property: it says nothing',
    );
    return [
      { ...obligation, line },
      { ...bites, line },
    ];
  }

  #example({ inputs, expect, line }: PolicyExample): Obligation {
    const { input, wrong } = this.#whole(inputs);
    // A call without a value that the policy reads is denied before any condition.
    const isPermitted = wrong === null && holds(all(this.#given, this.#permits), input);
    const found = isPermitted ? 'permit' : 'deny';
    const name = JSON.stringify(inputs);
    const says =
      found === expect
        ? `${expect === 'permit' ? 'permitted' : 'denied'}, as expected`
        : `expected ${expect}, found ${found}`;
    return this.#obligation('example', name, found === expect ? 'proved' : 'refuted', says, {
      input: inputs,
      line,
    });
  }

  #rules(): Obligation[] {
    const { policy } = { policy: this.#policy };
    const { permit, forbid } = this.#conditions;
    if (this.#specification.scripts.has(policy.name)) return this.#returns();
    return [
      ...policy.permit.flatMap(({ name }, i) => {
        const others = permits({ permit: permit.filter((_, k) => k !== i), forbid });
        return [
          this.#reachable(
            name,
            all(isTrue(permit[i]), this.#permits),
            'the condition is true of no call that is permitted',
          ),
          ...(permit.length > 1
            ? [
                this.#needed(
                  name,
                  all(this.#permits, not(others)),
                  'what it permits, other conditions permit as well',
                ),
              ]
            : []),
          this.#readable(name, permit[i]),
        ];
      }),
      ...policy.forbid.flatMap(({ name }, i) => {
        const others = permits({ permit, forbid: forbid.filter((_, k) => k !== i) });
        return [
          this.#reachable(name, isTrue(forbid[i]), 'the condition is true of no call'),
          this.#needed(name, all(others, not(isFalse(forbid[i]))), 'what it forbids is not permitted anyway'),
          this.#readable(name, forbid[i]),
        ];
      }),
    ];
  }

  /** Of a function: each return, each of which is reached by calls that no other reaches; and whether it throws, which is the same for all. */
  #returns(): Obligation[] {
    const { permit, forbid } = this.#policy;
    const conditions = [...this.#conditions.permit, ...this.#conditions.forbid];
    const names = [...permit, ...forbid].map(({ name }) => name);
    return [
      ...names.map((name, i) => this.#reachable(name, isTrue(conditions[i]), 'no call reaches this return')),
      this.#readable(this.#policy.name, conditions[0]),
    ].sort((a, b) => a.line - b.line);
  }

  #reachable(name: string, claim: Claim, otherwise: string): Obligation {
    return this.#exists('reachable', name, all(this.#given, claim), otherwise);
  }

  #needed(name: string, claim: Claim, otherwise: string): Obligation {
    return { ...this.#exists('needed', name, all(this.#given, claim), otherwise), isRemark: true };
  }

  #readable(name: string, condition: Expression): Obligation {
    const obligation = this.#none(
      'readable',
      name,
      all(this.#given, isNone(condition)),
      (input) => `the condition has no value of ${JSON.stringify(this.#read(input))}; such calls are denied`,
    );
    return { ...obligation, isRemark: true };
  }

  /** An obligation that some input fulfils a claim. */
  #exists(kind: ObligationKind, name: string, claim: Claim, otherwise: string): Obligation {
    const answer = this.#answers.find(claim);
    if (answer.kind === 'some')
      return this.#obligation(
        kind,
        name,
        'proved',
        `for example ${JSON.stringify(this.#read(answer.input))}`,
        answer,
      );
    if (answer.kind === 'none') return this.#obligation(kind, name, 'refuted', otherwise, answer);
    return this.#obligation(kind, name, 'unproved', answer.reason, answer);
  }

  /** An obligation that no input fulfils a claim. */
  #none(kind: ObligationKind, name: string, claim: Claim, says: (input: Assignment) => string): Obligation {
    const answer = this.#answers.find(claim);
    if (answer.kind === 'some') return this.#obligation(kind, name, 'refuted', says(answer.input), answer);
    if (answer.kind === 'none') return this.#proved(kind, name, claim, answer.evidence);
    return this.#obligation(kind, name, 'unproved', answer.reason, answer);
  }

  /** An obligation of which it is known that no input fulfils the claim. */
  #proved(kind: ObligationKind, name: string, claim: Claim, evidence: Evidence): Obligation {
    const { recheck = false, certificates = false } = this.#options;
    const proved = (says: string) => this.#obligation(kind, name, 'proved', says, { evidence });
    if (!recheck && !certificates) return proved('for every input');
    const unproved = (why: string) => {
      const says = `it is proved, but the checker does not confirm it: ${why}`;
      return this.#obligation(kind, name, 'unproved', says, { evidence });
    };
    if (evidence.script !== undefined)
      return recheck ? unproved('outside solvers give no certificate') : proved('for every input');
    const found = this.#decider.certificate(claim);
    const isTooLarge = sizeOfCertificate(found) > MOST_NUMBERS;
    if (recheck) {
      const wrong = isTooLarge
        ? `its certificate has more than ${MOST_NUMBERS} numbers`
        : this.#rechecker.check(claim, found);
      if (wrong !== null) return unproved(wrong);
    }
    const obligation = proved(recheck ? 'for every input; rechecked' : 'for every input');
    return certificates && !isTooLarge ? { ...obligation, certificate: found } : obligation;
  }

  #obligation(
    kind: ObligationKind,
    name: string,
    verdict: Verdict,
    says: string,
    { input, line, evidence = NOBODY }: Found = {},
  ): Obligation {
    const { lines, scripts } = this.#specification;
    const { name: policy } = this.#policy;
    const script = line === undefined && IN_SCRIPTS.includes(kind) ? scripts.get(policy) : undefined;
    return {
      policy,
      kind,
      name,
      line:
        line ??
        script?.lines.get(name) ??
        script?.line ??
        lines.get(`${policy}/${name}`) ??
        lines.get(policy) ??
        1,
      ...(script !== undefined && { source: script.source }),
      verdict,
      isRemark: false,
      says,
      ...(input !== undefined && { input: this.#read(input) }),
      ...evidence,
    };
  }

  /** The part of an input that the policy reads. */
  #read(input: Assignment): Assignment {
    const { reads } = this.#policy;
    return Object.fromEntries(Object.entries(input).filter(([name]) => reads.includes(name)));
  }

  /** An example with null for what it leaves out, and the first input that has no fitting value. */
  #whole(given: Assignment): { readonly input: Assignment; readonly wrong: string | null } {
    const input = Object.fromEntries(
      Object.keys(this.#inputs).map((name) => [name, Object.hasOwn(given, name) ? given[name] : null]),
    );
    const wrong =
      this.#policy.reads.find(
        (name) => misfit(Object.hasOwn(given, name) ? given[name] : null, this.#inputs[name]) !== null,
      ) ?? null;
    return { input, wrong };
  }
}
