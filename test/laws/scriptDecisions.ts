import { emails } from '../../bindings/languages/policyScript/index.js';
import type { PolicySpecification } from '../../bindings/rules/specification/index.js';
import { PolicyDecider } from '../../bindings/runtime/policy/index.js';
import { runnable, Unordered } from './randomScripts.js';

/** Values of all inputs; null for one that is absent. */
export interface ScriptInputs {
  readonly to: readonly string[];
  readonly modes: readonly string[];
  readonly nums: readonly number[];
  readonly [name: string]: unknown;
}

/** What a policy decides and what an engine decides that runs its script: `permit`, `deny` and the reason, or `none`, which denies. */
export interface Decisions {
  readonly policy: string;
  /** With lists whose elements stand in no order, as policies read them. */
  readonly unordered: string;
  readonly ordered: string;
}

/** Compares the policy `p` of a specification with its script. */
export function comparison(
  source: string,
  { set }: PolicySpecification,
): (inputs: ScriptInputs) => Decisions {
  const [policy] = set.policies;
  const decider = new PolicyDecider(set);
  const module = runnable(source);
  const run = module();
  const runUnordered = module({ emails: (text) => Unordered.from(emails(text)) as string[] });
  return (inputs) => {
    const present = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));
    const denied = decider.denial({ name: 't', arguments: present }, {});
    const rule = denied?.denial.kind === 'forbidden' ? denied.denial.rule : null;
    const reason = policy.forbid.find(({ name }) => name === rule)?.reason;
    const lists = Object.fromEntries(
      (['to', 'modes', 'nums'] as const).map((name) => [name, Unordered.from(inputs[name] as string[])]),
    );
    return {
      policy:
        denied === null
          ? 'permit'
          : rule !== null
            ? `deny ${reason}`
            : denied.denial.kind === 'unreadable'
              ? 'none'
              : denied.denial.kind,
      unordered: decided(runUnordered, { ...inputs, ...lists }),
      ordered: decided(run, inputs),
    };
  };
}

function decided(
  decide: (inputs: object) => { permitted: boolean; reason?: string },
  inputs: object,
): string {
  try {
    const { permitted, reason } = decide(inputs);
    return permitted ? 'permit' : `deny ${reason}`;
  } catch (error) {
    return (error as Error).name === 'EvaluationError' ? 'none' : `thrown: ${(error as Error).stack}`;
  }
}
