export {
  type CaseCertificate,
  type Certificate,
  type Claim,
  type InputCertificate,
  type MachineCertificate,
  sizeOfCertificate,
  type TextCertificate,
} from './certificate.js';
export { Rechecker } from './recheck.js';
