/** What an operator can do about a refusal, by the store's own word for it. */
const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there',
  NoSuchBucket: 'S3_BUCKET does not exist there',
  AccessDenied: 'these keys may not do this',
  RequestTimeTooSkewed: "this machine's clock is wrong",
  AuthorizationHeaderMalformed: 'S3_REGION is not the one of the bucket',
  PermanentRedirect: 'S3_ENDPOINT or S3_REGION is not the one of the bucket',
};

/** A call to the store that failed: a sentence for the log, with nothing secret in it. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  /** 0 where nothing answered. */
  readonly status: number;
  /** The store's word, such as NoSuchBucket; '' where it gave none. */
  readonly code: string;

  constructor(what: string, { status = 0, code = '' } = {}) {
    const advice = ADVICE[code];
    super(`${what}${code && ` (${code})`}${advice ? `: ${advice}.` : '.'}`);
    this.status = status;
    this.code = code;
  }
}
