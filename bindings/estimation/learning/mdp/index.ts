export {
  type ActionEffect,
  actionEffects,
  idleEffect,
  type ObservedEffect,
  requireSomeEffect,
  unseenEffects,
} from './actionEffects.js';
export { agentChain } from './agentChain.js';
export { type LearntMdp, learnMdp, MdpCounter, type MdpReport } from './learnMdp.js';
