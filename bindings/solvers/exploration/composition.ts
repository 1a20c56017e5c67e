import { InvalidModelError } from '../../base/errors.js';
import type { Command, PrismModel, PrismModule, SystemExpression } from '../formats/index.js';

/** A command with the module it belongs to. */
export interface ModuleCommand {
  readonly command: Command;
  readonly module: PrismModule;
}

/** The possible steps of one action: one of several commands, one of the alternatives, or one of each part at once. */
export type Composition =
  | { readonly kind: 'commands'; readonly commands: readonly ModuleCommand[] }
  | { readonly kind: 'choice'; readonly parts: readonly Composition[] }
  | { readonly kind: 'synchronised'; readonly parts: readonly Composition[] };

/** The steps that a component of a system offers, by action; the key null is for unsynchronised steps. */
type Offers = ReadonlyMap<string | null, Composition>;

/**
 * The possible steps of a model, by action. Modules are composed by `system … endsystem`, or else all in parallel, synchronised
 * on every shared action.
 *
 * @param onBlocked called with each action that a `|[…]|` requires two sides to share although one side never takes it
 * @throws InvalidModelError if the system names a module twice, or one that is not there, or leaves one out
 */
export function composeModules(model: PrismModel, onBlocked: (action: string) => void = () => {}): Offers {
  const unused = new Map(model.modules.map((module) => [module.name, module]));
  const offersOf = (system: SystemExpression): Offers => {
    switch (system.kind) {
      case 'module': {
        const module = unused.get(system.name);
        if (module === undefined) {
          const known = model.modules.some(({ name }) => name === system.name);
          throw new InvalidModelError(
            `${model.name}:${system.place.line}: the system ${known ? `uses module ${system.name} twice` : `names ${system.name}, which is not a module`}`,
          );
        }
        unused.delete(system.name);
        return moduleOffers(module);
      }
      case 'parallel':
        return system.operands
          .map(offersOf)
          .reduce((left, right) => parallel(left, right, system.actions, onBlocked));
      case 'hide':
        return mapActions(offersOf(system.operand), (action) =>
          action !== null && system.actions.includes(action) ? null : action,
        );
      case 'rename':
        return mapActions(offersOf(system.operand), (action) =>
          action === null ? null : (system.actions.get(action) ?? action),
        );
    }
  };
  if (model.system === null) {
    return model.modules.map(moduleOffers).reduce((left, right) => parallel(left, right, 'shared'));
  }
  const offers = offersOf(model.system);
  if (unused.size > 0) {
    throw new InvalidModelError(
      `${model.name}:${model.system.place.line}: the system leaves out ${[...unused.keys()].join(', ')}; it names every module once`,
    );
  }
  return offers;
}

function moduleOffers(module: PrismModule): Offers {
  const commands = new Map<string | null, ModuleCommand[]>();
  for (const command of module.commands) {
    const listed = commands.get(command.action) ?? [];
    listed.push({ command, module });
    commands.set(command.action, listed);
  }
  return new Map([...commands].map(([action, listed]) => [action, { kind: 'commands', commands: listed }]));
}

function parallel(
  left: Offers,
  right: Offers,
  actions: 'shared' | readonly string[],
  onBlocked?: (action: string) => void,
): Offers {
  const offers = new Map<string | null, Composition>();
  for (const action of new Set([...left.keys(), ...right.keys()])) {
    const a = left.get(action);
    const b = right.get(action);
    const listed = action !== null && (actions === 'shared' || actions.includes(action));
    if (a && b) offers.set(action, join(listed ? 'synchronised' : 'choice', a, b));
    // If one side never takes an action that must be shared, it blocks the other side.
    else if (!listed || actions === 'shared') offers.set(action, (a ?? b) as Composition);
    else onBlocked?.(action);
  }
  return offers;
}

function join(kind: 'choice' | 'synchronised', a: Composition, b: Composition): Composition {
  const parts = (part: Composition): readonly Composition[] => (part.kind === kind ? part.parts : [part]);
  return { kind, parts: [...parts(a), ...parts(b)] };
}

function mapActions(offers: Offers, rename: (action: string | null) => string | null): Offers {
  const renamed = new Map<string | null, Composition>();
  for (const [action, part] of offers) {
    const name = rename(action);
    const before = renamed.get(name);
    renamed.set(name, before ? join('choice', before, part) : part);
  }
  return renamed;
}
