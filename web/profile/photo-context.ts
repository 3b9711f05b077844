/** The values that Edit Profile passes to the photo through the router's outlet. */
export interface PhotoContext {
  /** Leaves the page after the server answered that the session has ended. */
  readonly onSessionEnded: () => void;
}
