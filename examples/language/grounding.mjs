import { createGrounder } from 'foreguard/english';

/** Tags of OpenStreetMap as what a grounder is told about a place: "building: yes" says that it is a building. */
function aboutOf(tags) {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => {
      const kind = key.replace(/^(?:addr|name):/, '').replaceAll('_', ' ');
      return [kind, value === 'yes' ? kind : value.replaceAll('_', ' ')];
    }),
  );
}

/** What becomes of each expression: whether the best is the landmark that was meant, whether it is asked, and whether the landmark is among the first three. */
export function groundingOutcomes(expressions, environments) {
  const grounders = new Map(
    environments.map(({ environment, landmarks }) => [
      environment,
      createGrounder(
        Object.fromEntries(Object.entries(landmarks).map(([name, tags]) => [name, { about: aboutOf(tags) }])),
      ),
    ]),
  );
  return expressions.map(({ expression, landmark, environment, ada002Correct }) => {
    const found = grounders.get(environment).ground(expression);
    const names = found.candidates.map(({ name }) => name);
    const best = found.kind === 'one' ? found.name : names[0];
    return {
      environment,
      kind: found.kind,
      isRight: best === landmark,
      isAmongThree: names.slice(0, 3).includes(landmark),
      ada002: ada002Correct,
    };
  });
}
