import type { CompiledCommand } from './commands.js';
import type { Composition, ModuleCommand } from './composition.js';

/** Commands that are taken together or not at all; nearly always one. */
export type Bundle = readonly CompiledCommand[];

/** What can happen under one action: one bundle of each part at once, the first part's varying slowest. */
export interface Joint {
  /** Index among the actions of the model. */
  readonly action: number;
  readonly parts: readonly (readonly Bundle[])[];
}

/**
 * A composition as joints, in the order in which their choices are listed. Alternatives that can never be taken are left
 * out, joints without any too.
 */
export function jointsOf(
  composition: Composition,
  action: number,
  compile: (command: ModuleCommand) => CompiledCommand,
): Joint[] {
  if (composition.kind === 'choice')
    return composition.parts.flatMap((part) => jointsOf(part, action, compile));
  const parts = composition.kind === 'commands' ? [composition] : composition.parts;
  const joint = { action, parts: parts.map((part) => bundlesOf(part, compile)) };
  return joint.parts.some((bundles) => bundles.length === 0) ? [] : [joint];
}

/** The alternatives of a part, written out where it is itself put together. */
function bundlesOf(part: Composition, compile: (command: ModuleCommand) => CompiledCommand): Bundle[] {
  switch (part.kind) {
    case 'commands':
      return part.commands
        .map(compile)
        .filter(({ guard }) => !guard.never)
        .map((command) => [command]);
    case 'choice':
      return part.parts.flatMap((inner) => bundlesOf(inner, compile));
    case 'synchronised':
      return part.parts
        .map((inner) => bundlesOf(inner, compile))
        .reduce((left, right) => left.flatMap((first) => right.map((second) => [...first, ...second])));
  }
}
