import type { Plan, Step } from '../workflow/index.js';
import type { Issue } from './issues.js';
import type { PathStep } from './verdict.js';

/** Steps of a part of a plan that are on the way, and whether the step of the finding is among them. */
interface Part {
  readonly way: readonly PathStep[];
  readonly isThere: boolean;
}

/**
 * The steps to those of a finding, in the order of the plan: those that the walk went through outside of branches and loops that were over, and those that the
 * data pass through, with the branches around them.
 *
 * @param taken the steps of a run that shows the finding; then they alone, with the branches that it took. Null: none was found
 */
export function wayOf(issue: Issue, plan: Plan, taken: readonly string[] | null): readonly PathStep[] {
  const { kind, step: end, path, from = [] } = issue;
  // Rules of order have the calls of a path; goals and effects are about the plan as a whole.
  if (end === null || kind === 'order' || path.length === 0) return path;
  const walked = new Map(path.map((one) => [one.step, one]));
  const through = new Set(from);
  const ran = taken === null ? null : new Set(taken);
  const part = (steps: readonly Step[]): Part => {
    const way: PathStep[] = [];
    let isThere = false;
    for (const step of steps) {
      const found = one(step);
      isThere ||= found.isThere;
      way.push(...found.way);
    }
    return { way, isThere };
  };
  const one = (step: Step): Part => {
    if (ran?.has(step.id) === false) return { way: [], isThere: false };
    const known = walked.get(step.id);
    if (step.kind === 'if') {
      const sides = [
        { branch: 'then', steps: step.then, ...part(step.then) },
        { branch: 'else', steps: step.else, ...part(step.else) },
      ] as const;
      const around = sides.filter(({ isThere }) => isThere);
      const on =
        around.length > 0
          ? around
          : sides.filter(({ steps, way }) => way.length > 0 || steps.some(({ id }) => ran?.has(id)));
      const inner = on.flatMap(({ way }) => way);
      const branch = on.length === 1 ? on[0].branch : on.length === 0 ? known?.branch : undefined;
      const isThere = step.id === end || around.length > 0;
      const isOn = known !== undefined || inner.length > 0 || through.has(step.id) || isThere;
      const own = { step: step.id, ...(branch !== undefined && { branch }) };
      return { way: isOn ? [own, ...inner] : [], isThere };
    }
    const inner: Part =
      step.kind === 'forEach' || step.kind === 'fold' ? part(step.do) : { way: [], isThere: false };
    const isThere = step.id === end || inner.isThere;
    const isOn = known !== undefined || inner.way.length > 0 || through.has(step.id) || isThere;
    const own = isThere && known !== undefined ? known : { step: step.id };
    return { way: isOn ? [own, ...inner.way] : [], isThere };
  };
  const { way } = part(plan.steps);
  const upTo = way.findIndex(({ step }) => step === end);
  // In a loop, data may come from steps below the finding's.
  const last = way.slice(upTo, upTo + 1);
  const after = way.slice(upTo + 1).filter(({ step }) => through.has(step));
  return [...way.slice(0, Math.max(upTo, 0)), ...after, ...last];
}
