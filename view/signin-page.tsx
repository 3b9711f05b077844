import { CATALOGUES } from '#domain/language/catalogues.ts';
import { SIGNIN } from '#domain/language/en.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';

import { Card } from './card.tsx';
import { CardTexts, LanguageLinks, fillElements } from './language.tsx';
import { Mosaic } from './mosaic.tsx';
import { PolicyLinks } from './policy-links.tsx';
import sampleFace from './sample-face.svg?inline';
import { WidgetPage, WidgetSkeleton } from './widget-page.tsx';
import type { WidgetPageProps } from './widget-page.tsx';

const LOGO_SIDE_PX = 28;

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

interface SigninPageProps extends Omit<WidgetPageProps, 'title' | 'children'> {
  readonly language: PageLanguage;
  readonly productName: string;
  /** Whom to ask for an invitation; null if nobody needs one. */
  readonly invitedBy: string | null;
}

/** The landing page too (docs/product.md#login-page). */
export function SigninPage({ productName, invitedBy, ...props }: SigninPageProps) {
  const { language } = props;
  const { signin: texts, card, page } = CATALOGUES[language.language];
  const links = {
    terms: <a href={POLICY_PATHS.terms}>{texts.termsLink}</a>,
    privacy: <a href={POLICY_PATHS.privacy}>{texts.privacyLink}</a>,
  };
  return (
    <WidgetPage {...props} title={`${texts.title} - ${productName}`}>
      <div className="signin">
        <header className="signin-head">
          <span className="wordmark">
            <img src="/favicon.svg" width={LOGO_SIDE_PX} height={LOGO_SIDE_PX} alt="" />
            {productName}
          </span>
        </header>
        <main className="signin-main">
          <h1>{texts.headline}</h1>
          <p className="signin-description">{texts.promise}</p>
          <div className="signin-panel">
            <WidgetSkeleton />
            <output className="visually-hidden">{texts.loading}</output>
          </div>
          {invitedBy !== null && (
            <p className="signin-terms">
              {fillElements(texts.byInvitation, {
                email: <a href={`mailto:${invitedBy}`}>{invitedBy}</a>,
              })}
            </p>
          )}
          <noscript>{texts.needsScript}</noscript>
          <p className="signin-terms">{fillElements(texts.terms, links)}</p>
        </main>
        <aside className="signin-sample" aria-label={texts.sampleCard}>
          <Mosaic
            seed={SAMPLE_PROFILE._id}
            grid={BACKGROUND_GRID}
            className="mosaic signin-mosaic"
          />
          <div className="signin-card">
            <CardTexts value={card}>
              <Card
                profile={{ ...SAMPLE_PROFILE, ...texts.sample }}
                iconBaseUrl=""
                mode="preview"
              />
            </CardTexts>
          </div>
        </aside>
        <footer className="signin-foot">
          <PolicyLinks names={texts.policies} />
          <LanguageLinks {...language} label={page.language} />
        </footer>
      </div>
    </WidgetPage>
  );
}
