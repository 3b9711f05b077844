import '#view/card.css';
import '#web/shared/otp/otp.css';
import '#web/shared/otp/widget.css';
import './layout.css';

import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';

import type { Catalogue } from '#domain/language/catalogue.ts';
import { SIGNIN } from '#domain/language/en.ts';
import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';
import { Card } from '#view/card.tsx';
import { fillElements } from '#view/language.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { PolicyLinks } from '#web/shared/ui/policy-links.tsx';
import { usePageTitle } from '#web/shared/ui/page-title.ts';
import { Wordmark } from '#web/shared/ui/wordmark.tsx';

import sampleFace from './sample-face.svg?inline';

export const SAMPLE_PROFILE: Profile = {
  _id: 'MeeraTesseraCard',
  ...SIGNIN.sample,
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

/** English where the application shows the page. */
export const SigninTexts = createContext<Catalogue['signin']>(SIGNIN);

interface LayoutProps {
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

export function Layout({ children, foot }: LayoutProps) {
  const texts = useContext(SigninTexts);
  usePageTitle(texts.title);
  const links = {
    terms: <a href={POLICY_PATHS.terms}>{texts.termsLink}</a>,
    privacy: <a href={POLICY_PATHS.privacy}>{texts.privacyLink}</a>,
  };
  return (
    <div className="signin">
      <header className="signin-head">
        <Wordmark />
      </header>
      <main className="signin-main">
        <h1>{texts.headline}</h1>
        <p className="signin-description">{texts.promise}</p>
        <div className="signin-panel">{children}</div>
        <noscript>{texts.needsScript}</noscript>
        <p className="signin-terms">{fillElements(texts.terms, links)}</p>
      </main>
      <aside className="signin-sample" aria-label={texts.sampleCard}>
        <Mosaic seed={SAMPLE_PROFILE._id} grid={BACKGROUND_GRID} className="mosaic signin-mosaic" />
        <div className="signin-card">
          <Card profile={{ ...SAMPLE_PROFILE, ...texts.sample }} iconBaseUrl="" mode="preview" />
        </div>
      </aside>
      <footer className="signin-foot">
        <PolicyLinks names={texts.policies} />
        {foot}
      </footer>
    </div>
  );
}

/** `startWidget` then shows the same blocks (WIDGET_BLOCKS in web/shared/otp/widget.ts). */
export function WidgetSkeleton() {
  return (
    <div className="widget">
      <div className="widget-skeleton">
        <Skeleton className="widget-label" />
        <Skeleton className="widget-input" />
        <Skeleton className="widget-button" />
        <LoadingStatus>{useContext(SigninTexts).loading}</LoadingStatus>
      </div>
    </div>
  );
}
