import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError, ModelError } from '../../base/errors.js';
import { type LanguageModel, nameOf, objectIn } from '../../base/languageModel/index.js';
import type { PolicyReport } from '../policyProof/index.js';
import { type Attempt, tryCandidate } from './attempt.js';
import type { Candidate, DraftFile, Example, PolicyDraft } from './draft.js';
import { PROMPTS } from './prompts.js';
import { readCandidate } from './readCandidate.js';

/** How long a model may try. */
export interface SynthesisOptions {
  /** Answers that the model may give; default 8. */
  readonly maxIterations?: number;
  /** A first policy to try before the model is asked; default: none. */
  readonly first?: Candidate;
  readonly signal?: AbortSignal;
  /** Told after each answer. */
  readonly onAttempt?: (attempt: SynthesisStep) => void;
}

/** One answer of the model, and what became of it. */
export interface SynthesisStep {
  readonly iteration: number;
  readonly outcome: Attempt['outcome'] | 'no-answer';
  readonly problems: readonly string[];
  readonly candidate: Candidate | null;
}

/** What became of a draft. */
export interface SynthesisResult {
  readonly policy: string;
  /**
   * `verified`: every obligation is proved. `unproved`: the last policy is not refuted, and not proved. `failed`: neither. Nothing but what is verified is ever
   * given out as a policy.
   */
  readonly outcome: 'verified' | 'unproved' | 'failed';
  /** Why not, in a sentence; null if it is verified. */
  readonly reason: string | null;
  /** The verified conditions; null if there are none. */
  readonly candidate: Candidate | null;
  /** The draft with the inputs that refuted a policy on the way among its examples. */
  readonly draft: PolicyDraft;
  readonly report: PolicyReport | null;
  readonly steps: readonly SynthesisStep[];
  readonly usage: { readonly calls: number; readonly input: number; readonly output: number };
}

/**
 * Has a language model write the conditions of a policy, until all that the draft demands is proved: parse, examples, proof, and repair by the smallest input
 * that refutes it (counterexample-guided synthesis: Solar-Lezama et al. 2006, doi:10.1145/1168857.1168907). What the draft demands never changes on the way, and
 * each input that refuted a policy is an example for those that follow. Whatever the model says, `verified` means that every obligation is proved.
 *
 * @param asked the name of a draft in the file, or one that `specifyPolicy` gave
 * @throws InvalidArgumentError (rejects) if the draft demands nothing, or `maxIterations` is no whole number from 1; the signal's reason if it is aborted
 */
export async function synthesizePolicy(
  file: DraftFile,
  asked: string | PolicyDraft,
  model: LanguageModel,
  options: SynthesisOptions = {},
): Promise<SynthesisResult> {
  const { maxIterations = 8 } = options;
  if (!Number.isSafeInteger(maxIterations) || maxIterations < 1)
    throw new InvalidArgumentError(`maxIterations is ${maxIterations}; expected a whole number from 1`);
  const draft = typeof asked === 'string' ? file.draft(asked) : asked;
  if (Object.keys(draft.ensures).length === 0)
    throw new InvalidArgumentError(
      `policy "${draft.name}" has no ensures: any policy would do; say what it must ensure, or have that drafted first`,
    );
  return new Synthesis(file, draft, model, { ...options, maxIterations }).run();
}

class Synthesis {
  readonly #file: DraftFile;
  readonly #model: LanguageModel;
  readonly #options: SynthesisOptions & { readonly maxIterations: number };
  readonly #steps: SynthesisStep[] = [];
  readonly #tried = new Set<string>();
  readonly #usage = { calls: 0, input: 0, output: 0 };
  #draft: PolicyDraft;
  #temperature: number | undefined;

  constructor(
    file: DraftFile,
    draft: PolicyDraft,
    model: LanguageModel,
    options: SynthesisOptions & { readonly maxIterations: number },
  ) {
    this.#file = file;
    this.#draft = draft;
    this.#model = model;
    this.#options = options;
  }

  async run(): Promise<SynthesisResult> {
    const { maxIterations, first, signal } = this.#options;
    let last: Attempt | null = first === undefined ? null : await this.#try(0, first);
    if (last?.outcome === 'verified') return this.#result('verified', null, last);
    let problems: readonly string[] = last?.problems ?? [];
    for (let iteration = 1; iteration <= maxIterations; iteration++) {
      if (last?.contradiction != null) return this.#result('failed', last.contradiction, null);
      signal?.throwIfAborted();
      const candidate = await this.#ask(iteration, last?.candidate ?? null, problems);
      if (candidate instanceof ModelError) {
        problems = [...(last?.problems ?? []), candidate.message];
        continue;
      }
      last = await this.#try(iteration, candidate);
      if (last.outcome === 'verified') return this.#result('verified', null, last);
      problems = last.problems;
    }
    if (last?.contradiction != null) return this.#result('failed', last.contradiction, null);
    const open = problems[0] ?? 'the model gave no policy';
    const isUnproved = last?.outcome === 'unproved' && this.#steps.at(-1)?.outcome === 'unproved';
    return this.#result(
      isUnproved ? 'unproved' : 'failed',
      `no policy of ${this.#usage.calls} answers is verified; of the last one: ${open}`,
      null,
    );
  }

  async #ask(
    iteration: number,
    attempt: Candidate | null,
    problems: readonly string[],
  ): Promise<Candidate | ModelError> {
    const prompt = attempt === null ? PROMPTS.policy : PROMPTS.repair;
    const { tools, request, requires, ensures, examples } = this.#draft;
    const data = {
      request,
      tools,
      inputs: this.#file.inputs,
      ...(requires !== undefined && { requires }),
      ensures,
      examples,
      ...(attempt !== null && { attempt }),
      ...(problems.length > 0 && { problems }),
    };
    try {
      this.#usage.calls++;
      const { texts, objects, usage } = await this.#model.generate(
        {
          purpose: prompt.id,
          prompt: nameOf(prompt),
          system: prompt.system,
          messages: [{ role: 'user', content: canonicalJson(data) }],
          schema: prompt.schema,
          ...(this.#temperature !== undefined && { temperature: this.#temperature }),
        },
        this.#options.signal,
      );
      this.#usage.input += usage?.input ?? 0;
      this.#usage.output += usage?.output ?? 0;
      const [answer] = objects ?? [];
      const candidate = readCandidate(
        answer === undefined ? objectIn(texts[0] ?? '') : (answer as Record<string, unknown>),
      );
      const key = canonicalJson(candidate);
      // A model that says the same again is asked to be less certain.
      if (this.#tried.has(key)) {
        this.#temperature = Math.min(1, (this.#temperature ?? 0) + 0.5);
        throw new ModelError('this policy has been tried before; write another one');
      }
      this.#tried.add(key);
      return candidate;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#step({ iteration, outcome: 'no-answer', problems: [error.message], candidate: null });
      return error;
    }
  }

  async #try(iteration: number, candidate: Candidate): Promise<Attempt> {
    this.#tried.add(canonicalJson(candidate));
    const attempt = await tryCandidate(this.#file, this.#draft, candidate);
    this.#keep(attempt.counterexamples);
    this.#step({ iteration, outcome: attempt.outcome, problems: attempt.problems, candidate });
    return attempt;
  }

  #keep(found: readonly Example[]): void {
    const known = new Set(this.#draft.examples.map((example) => canonicalJson(example)));
    const fresh = new Map(found.map((example) => [canonicalJson(example), example]));
    for (const key of known) fresh.delete(key);
    if (fresh.size > 0)
      this.#draft = { ...this.#draft, examples: [...this.#draft.examples, ...fresh.values()] };
  }

  #step(step: SynthesisStep): void {
    this.#steps.push(step);
    this.#options.onAttempt?.(step);
  }

  #result(
    outcome: SynthesisResult['outcome'],
    reason: string | null,
    verified: Attempt | null,
  ): SynthesisResult {
    return {
      policy: this.#draft.name,
      outcome,
      reason,
      candidate: verified?.candidate ?? null,
      draft: this.#draft,
      report: verified?.report ?? null,
      steps: this.#steps,
      usage: this.#usage,
    };
  }
}
