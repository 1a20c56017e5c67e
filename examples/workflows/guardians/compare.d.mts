import type { Contracts } from '../../../bindings/proofs/contract/index.js';
import type { Plan } from '../../../bindings/proofs/workflow/plan.js';

type Case = Readonly<Record<string, unknown>>;

export interface Api {
  readonly readContracts: (given: object) => Contracts;
  /** Foreguard's verdict, of which `verdict`, `findings` and `verified` are read. */
  readonly verify?: (plan: Plan, contracts: Contracts, one: Case) => unknown;
  readonly execute?: (verified: unknown, contracts: Contracts, one: Case) => Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: cases are data
export declare function convert(one: Case, conditions: Case, api: Api): any;
export declare function judge(one: Case, conditions: Case, api: Api): Promise<Judged>;
export declare function judgeAll(
  file: { readonly cases: readonly Case[]; readonly conditions: Case },
  api: Api,
): Promise<Judged[]>;
export declare function report(judged: readonly Judged[]): string[];

export interface Judged {
  readonly id: string;
  readonly kind: string;
  readonly agrees: boolean;
  readonly mayDiffer: string | null;
  readonly found: 'proved' | readonly string[];
  readonly differences: readonly string[];
}
