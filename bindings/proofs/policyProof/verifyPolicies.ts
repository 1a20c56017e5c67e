import type { Expression } from '../../languages/expression/index.js';
import { type Inputs, misfit } from '../../languages/inputs/index.js';
import { PERMITTED, type PolicyExample, type PolicySpecification } from '../../rules/specification/index.js';
import { loadParts, type Policy, type PolicyRule } from '../../runtime/policy/index.js';
import {
  type Assignment,
  type Claim,
  Decider,
  holds,
  SameOrder,
  substituted,
} from '../../solvers/decide/index.js';
import { Answers, type Evidence, type SolverUse } from './answers.js';
import { all, any, type Conditions, conditionOf, isFalse, isNone, isTrue, not, permits } from './claims.js';
import type { Obligation, ObligationKind, Verdict } from './obligation.js';

/** The obligations of policies, and what became of each. */
export interface PolicyReport {
  /** SHA-256 of the policies that were verified. */
  readonly hash: string;
  readonly obligations: readonly Obligation[];
  /** Whether each obligation that is more than a remark is proved. */
  readonly verified: boolean;
}

/**
 * Verifies policies: that each property follows from what a policy permits and denies, for every input of the declared types; and that the policy and its
 * properties are not void. Decided by texts as automata, numbers as cells, and small lists ([semantics](../../../docs/policies.md)); what this leaves open, by outside
 * solvers, if there are any. Without these the same policies give the same report, however fast the machine.
 *
 * @throws SolverError (rejects) if two outside solvers contradict each other; InvalidArgumentError if more must agree than there are
 */
export async function verifyPolicies(
  specification: PolicySpecification,
  solvers: SolverUse = {},
): Promise<PolicyReport> {
  await loadParts(
    specification.set,
    specification.ensures.map(({ parsed }) => parsed),
  );
  const inputs: Inputs = Object.fromEntries(specification.set.inputs.map((input) => [input.name, input]));
  const obligations: Obligation[] = [];
  for (const policy of specification.set.policies) {
    const decider = new Decider(inputs);
    const answers = new Answers((claim) => decider.find(claim));
    const verifier = new PolicyVerifier(specification, policy, inputs, answers);
    verifier.obligations();
    await answers.settle(inputs, solvers);
    obligations.push(...verifier.obligations());
  }
  const verified = obligations.every(({ verdict, isRemark }) => verdict === 'proved' || isRemark);
  return { hash: specification.hash, obligations, verified };
}

/** What an obligation says beside its verdict. */
interface Found {
  readonly input?: Assignment;
  readonly line?: number;
  readonly evidence?: Evidence;
}

/** Of what is run, not proved. */
const NOBODY: Evidence = { by: [] };

class PolicyVerifier {
  readonly #specification: PolicySpecification;
  readonly #policy: Policy;
  readonly #inputs: Inputs;
  readonly #answers: Answers;
  /** How conditions and properties are written for the decider. */
  readonly #same: SameOrder;
  readonly #conditions: Conditions;
  /** What is taken for granted of the inputs. */
  readonly #given: Claim;
  readonly #permits: Claim;

  constructor(specification: PolicySpecification, policy: Policy, inputs: Inputs, answers: Answers) {
    this.#specification = specification;
    this.#policy = policy;
    this.#inputs = inputs;
    this.#answers = answers;
    const { name, requires, permit, forbid } = policy;
    const rules = [...permit, ...forbid, ...(requires === null ? [] : [requires])].map(conditionOf);
    const properties = specification.ensures.filter((one) => one.policy === name);
    this.#same = new SameOrder(inputs, [...rules, ...properties.map(({ parsed }) => parsed)]);
    const condition = (rule: PolicyRule): Expression => this.#same.of(conditionOf(rule));
    this.#conditions = { permit: permit.map(condition), forbid: forbid.map(condition) };
    this.#given = requires === null ? all() : isTrue(condition(requires));
    this.#permits = all(this.#given, permits(this.#conditions));
  }

  obligations(): Obligation[] {
    const { name } = this.#policy;
    const { ensures, examples } = this.#specification;
    return [
      ...(this.#policy.requires === null ? [] : [this.#requires()]),
      this.#permitsSomething(),
      ...ensures.filter(({ policy }) => policy === name).flatMap((property) => this.#ensures(property)),
      ...examples.filter(({ policy }) => policy === name).map((example) => this.#example(example)),
      ...this.#rules(),
    ];
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

  #ensures({ name, parsed, line }: { name: string; parsed: Expression; line: number }): Obligation[] {
    const property = this.#same.of(parsed);
    const permitted = substituted(property, PERMITTED, true);
    const denied = substituted(property, PERMITTED, false);
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
    if (answer.kind === 'none') return this.#obligation(kind, name, 'proved', 'for every input', answer);
    return this.#obligation(kind, name, 'unproved', answer.reason, answer);
  }

  #obligation(
    kind: ObligationKind,
    name: string,
    verdict: Verdict,
    says: string,
    { input, line, evidence = NOBODY }: Found,
  ): Obligation {
    const { lines } = this.#specification;
    const { name: policy } = this.#policy;
    return {
      policy,
      kind,
      name,
      line: line ?? lines.get(`${policy}/${name}`) ?? lines.get(policy) ?? 1,
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
