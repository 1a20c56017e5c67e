/** Rules alone: what the agent of the office must not do. Each lists what is allowed, and forbids the rest. */
export const SPECIFICATION = `version: 1
predicates:
  readsPrivate: 'has(action.name) && action.name == "read" && !(action.arguments.folder in ["news", "public"])'
  sendsAbroad: 'has(action.name) && action.name == "send" && !(domainOf(action.arguments.to) == "desk.example" && !has(action.arguments.cc) && !has(action.arguments.bcc))'
  forwardsAbroad: 'has(action.name) && action.name == "forward" && !(domainOf(action.arguments.to[0]) == "desk.example" && action.arguments.to.all(a, domainOf(a) == "desk.example"))'
  deletesElsewhere: 'has(action.name) && action.name == "delete" && !(isUnder(action.arguments.path, "/srv/scratch") && !isUnder("/srv/scratch", action.arguments.path))'
  strangeHost: 'has(action.name) && action.name == "fetch" && !(action.arguments.url.startsWith("https://") && hostOf(action.arguments.url) == "docs.example")'
  strangeCommand: 'has(action.name) && action.name == "shell" && !action.arguments.command.matches("^(ls|cat|git status)( [A-Za-z0-9_./-]+)*$")'
  overLimit: 'has(action.name) && action.name == "pay" && !(action.arguments.amount > 0 && action.arguments.amount + sum(history.filter(c, c.name == "pay").map(c, c.arguments.amount)) <= 100)'
  writes: 'has(action.name) && action.name == "write"'
  wires: 'has(action.name) && action.name == "wire"'
rules:
  noLeak: { formula: 'G !((sendsAbroad | forwardsAbroad) & (O readsPrivate))' }
  onlyScratch: { formula: 'G !deletesElsewhere' }
  knownHosts: { formula: 'G !strangeHost' }
  knownCommands: { formula: 'G !strangeCommand' }
  hundred: { formula: 'G !overLimit' }
  threeWrites: { formula: 'G !(writes & (Y O (writes & (Y O (writes & (Y O writes))))))' }
  askWire: { formula: 'G !wires', strategy: inspect, onFailure: block }
`;
