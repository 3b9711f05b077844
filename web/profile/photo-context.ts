/** Through the router's outlet. */
export interface PhotoContext {
  readonly onSessionEnded: () => void;
}
