/**
 * A policy for agents with tools of their own: each may call its own and no others. The tools take no arguments, so that this is all a policy can say of them.
 *
 * @param {readonly { name: string, agent: string }[]} tools
 */
export function ownTools(tools) {
  const agents = [...new Set(tools.map(({ agent }) => agent))];
  const policies = agents.map((agent) => {
    const own = tools.filter((tool) => tool.agent === agent).map(({ name }) => name);
    return `  ${agent}:
    tools: [${own.join(', ')}]
    permit: { own: 'agent == "${agent}"' }
    ensures: { noOther: 'agent != "${agent}" -> !permitted' }`;
  });
  return `version: 1
inputs:
  agent: { from: state.agent, enum: [${agents.join(', ')}] }
policies:
${policies.join('\n')}
`;
}
