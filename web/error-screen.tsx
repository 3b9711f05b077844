import './error-screen.css';

import { Component } from 'react';
import type { ReactNode } from 'react';

import { logFailure } from './shared/http/log.ts';
import { PATHS } from '#domain/path.ts';
import { usePageTitle } from './shared/ui/page-title.ts';

interface ErrorBoundaryProps {
  /** Another path renders the children again. */
  readonly pathname: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly hasFailed: boolean;
  readonly pathname: string;
}

/** docs/product.md#error-screen. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false, pathname: this.props.pathname };

  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(
    { pathname }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return pathname === state.pathname ? null : { hasFailed: false, pathname };
  }

  override componentDidCatch(error: unknown): void {
    logFailure('A page failed', error);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <ErrorScreen sentence="This page could not be shown. What you saved is safe." />;
  }
}

export function NotFound() {
  return <ErrorScreen sentence="There is nothing at this address." />;
}

function ErrorScreen({ sentence }: { readonly sentence: string }) {
  usePageTitle('Unexpected Application Error!');
  return (
    <main className="error-screen">
      <h1>Unexpected Application Error!</h1>
      <p>{sentence}</p>
      {/* A full page load, so that no broken state remains. */}
      <a className="ui-button ui-button-main" href={PATHS.start}>
        Start again
      </a>
    </main>
  );
}
