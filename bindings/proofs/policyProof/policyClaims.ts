import type { Expression } from '../../languages/expression/index.js';
import { misfit } from '../../languages/inputs/index.js';
import { PERMITTED, type PolicyExample, type PolicySpecification } from '../../rules/specification/index.js';
import type { Policy, PolicyInput, PolicyRule } from '../../runtime/policy/index.js';
import { type Assignment, SameOrder, substituted } from '../../solvers/decide/index.js';
import type { Claim } from '../../solvers/recheck/index.js';
import { all, any, type Conditions, conditionOf, isTrue, not, permits } from './claims.js';

/** What is asked for of a policy. */
export interface Property {
  readonly name: string;
  readonly line: number;
  /** What it says of calls that are permitted, and of those that are denied. */
  readonly permitted: Expression;
  readonly denied: Expression;
}

/** That what permits breaks a property: by what it permits, or by what it denies. */
export function brokenBy(permits: Claim, { permitted, denied }: Property): Claim {
  return any(all(permits, not(isTrue(permitted))), all(not(permits), not(isTrue(denied))));
}

/** What a policy says, as claims over the inputs, written as the decider follows them best. */
export class PolicyClaims {
  readonly policy: Policy;
  readonly specification: PolicySpecification;
  readonly inputs: Readonly<Record<string, PolicyInput>>;
  readonly conditions: Conditions;
  /** What is taken for granted of the inputs. */
  readonly given: Claim;
  /** That the call is permitted, and has what is taken for granted. */
  readonly permits: Claim;
  readonly properties: readonly Property[];
  readonly examples: readonly PolicyExample[];

  constructor(specification: PolicySpecification, policy: Policy) {
    this.specification = specification;
    this.policy = policy;
    this.inputs = Object.fromEntries(specification.set.inputs.map((input) => [input.name, input]));
    const { requires } = policy;
    const rules = [...policy.permit, ...policy.forbid, ...(requires === null ? [] : [requires])];
    const written = specification.ensures.filter((one) => one.policy === policy.name);
    const same = new SameOrder(this.inputs, [
      ...rules.map(conditionOf),
      ...written.map(({ parsed }) => parsed),
    ]);
    const condition = (rule: PolicyRule): Expression => same.of(conditionOf(rule));
    this.conditions = { permit: policy.permit.map(condition), forbid: policy.forbid.map(condition) };
    this.given = requires === null ? all() : isTrue(condition(requires));
    this.permits = all(this.given, permits(this.conditions));
    this.properties = written.map(({ name, line, parsed }) => {
      const property = same.of(parsed);
      const [permitted, denied] = [true, false].map((value) => substituted(property, PERMITTED, value));
      return { name, line, permitted, denied };
    });
    this.examples = specification.examples.filter((one) => one.policy === policy.name);
  }

  /** Claims of which all questions are made. */
  get parts(): Claim[] {
    const { permit, forbid } = this.conditions;
    const properties = this.properties.flatMap(({ permitted, denied }) => [permitted, denied]);
    return [this.given, ...[...permit, ...forbid, ...properties].map(isTrue)];
  }

  /** The part of an input that the policy reads. */
  read(input: Assignment): Assignment {
    const { reads } = this.policy;
    return Object.fromEntries(Object.entries(input).filter(([name]) => reads.includes(name)));
  }

  /** An example with null for what it leaves out. */
  whole(given: Assignment): Assignment {
    return Object.fromEntries(
      Object.keys(this.inputs).map((name) => [name, Object.hasOwn(given, name) ? given[name] : null]),
    );
  }

  /** Whether each value that the policy reads is of the declared type. */
  fits(input: Assignment): boolean {
    return this.policy.reads.every((name) => misfit(input[name], this.inputs[name]) === null);
  }
}
