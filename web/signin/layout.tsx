import '#view/card.css';
import '#web/otp/otp.css';
import '#web/otp/widget.css';
import './layout.css';

import type { ReactNode } from 'react';

import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import type { Profile } from '#domain/profile.ts';
import { Card } from '#view/card.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { LoadingStatus, Skeleton } from '#web/ui/loading.tsx';
import { POLICIES, PolicyLinks } from '#web/ui/policy-links.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';

import sampleFace from './sample-face.svg?inline';

export const SAMPLE_PROFILE: Profile = {
  _id: 'MeeraTesseraCard',
  name: 'Meera Iyer',
  designation: 'Architect',
  companyName: 'Courtyard Studio',
  bio: 'Houses that stay cool without machines, from Kochi to Jaipur.',
  phone: '+91 98765 43210',
  email: 'meera@courtyard.in',
  profilePhoto: sampleFace,
  socialMediaHandles: {
    Web: 'https://example.com',
    Whatsapp: '9876543210',
    Instagram: 'https://example.com',
    LinkedIn: 'https://example.com',
  },
};

export function Layout({ children }: { readonly children: ReactNode }) {
  usePageTitle('Sign in');
  return (
    <div className="signin">
      <header className="signin-head">
        <Wordmark />
      </header>
      <main className="signin-main">
        <h1>Your digital business card in two minutes.</h1>
        <p className="signin-description">
          Share it as a link or a QR code. Nobody needs an app to open it.
        </p>
        <div className="signin-panel">{children}</div>
        <noscript>Making a card needs JavaScript. Looking at one does not.</noscript>
        <p className="signin-terms">
          A card costs nothing, for you and for everybody who opens it. Your first sign-in creates
          your account. By signing in you accept the <a href={POLICIES.terms.path}>terms</a> and the{' '}
          <a href={POLICIES.privacy.path}>privacy policy</a>.
        </p>
      </main>
      <aside className="signin-sample" aria-label="A sample card">
        <Mosaic seed={SAMPLE_PROFILE._id} grid={BACKGROUND_GRID} className="mosaic signin-mosaic" />
        <div className="signin-card">
          <Card profile={SAMPLE_PROFILE} iconBaseUrl="" mode="preview" />
        </div>
      </aside>
      <footer className="signin-foot">
        <PolicyLinks />
      </footer>
    </div>
  );
}

/** `startWidget` then shows the same blocks (WIDGET_BLOCKS in web/otp/widget.ts). */
export function WidgetSkeleton() {
  return (
    <div className="widget">
      <div className="widget-skeleton">
        <Skeleton className="widget-label" />
        <Skeleton className="widget-input" />
        <Skeleton className="widget-button" />
        <LoadingStatus>Sign-in is loading</LoadingStatus>
      </div>
    </div>
  );
}
