import { Fragment, createElement, useContext } from 'react';
import type { ReactNode } from 'react';

import {
  displayName,
  shortenCardText,
  isLongBio,
  nameVariants,
  splitNumbers,
  textDirection,
} from '#domain/display.ts';
import { isWordMark, logoSize, logoVariants } from '#domain/logo.ts';
import type { CardExtras } from '#domain/extras.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';

import { CONNECT_ID, ConnectOutcome } from './connect.tsx';
import { ContactLinks, SocialLinks } from './contact-links.tsx';
import type { CardMode, SecondPhone } from './contact-links.tsx';
import { ExtraLinks } from './extras.tsx';
import { Icon } from './icon.tsx';
import { CardTexts, IsTextWhole, MoreToggle } from './language.tsx';
import { Poster } from './mosaic.tsx';
import { POSTER_SIZES, Portrait } from './portrait.tsx';

export interface CardProps {
  readonly profile: Profile;
  readonly palette?: Palette | undefined;
  /** The path of the logo, or '' if there is none. */
  readonly logo?: string | undefined;
  readonly extras?: CardExtras | undefined;
  /** The URL of the network icons' folder. '' renders the product's own icons. */
  readonly iconBaseUrl: string;
  readonly mode: CardMode;
  /** The phone as its country writes it. By default, it is as typed. */
  readonly phoneText?: string;
  /** The link is null in a preview, and for a phone that cannot be dialled. */
  readonly phoneHref?: string | null;
  readonly secondPhone?: SecondPhone | undefined;
  /** Replaces the portrait of the profile. */
  readonly portrait?: ReactNode;
  readonly languageMenu?: ReactNode;
}

/** The card of the public page and of every preview. It fills the width of its container. */
export function Card({
  profile,
  palette,
  logo,
  extras,
  iconBaseUrl,
  mode,
  phoneText = profile.phone,
  phoneHref = null,
  secondPhone,
  portrait,
  languageMenu,
}: CardProps) {
  return (
    <article className="business-card">
      <div className="card-poster" dir={textDirection(displayName(profile))}>
        <Poster seed={profile._id} palette={palette} />
        {portrait ?? (
          <Portrait
            profile={profile}
            palette={palette}
            sizes={POSTER_SIZES}
            hasFallback={mode === 'live'}
          />
        )}
      </div>
      {languageMenu}
      <div className="card-body">
        <div className="card-person" dir={textDirection(displayName(profile))}>
          <NameAndRole profile={profile} logo={logo} mode={mode} />
        </div>
        <CardActions profile={profile} mode={mode} />
        <AboutMe bio={profile.bio} mode={mode} />
        <ContactLinks {...{ profile, mode, phoneText, phoneHref, extras, secondPhone }} />
        <SocialLinks profile={profile} iconBaseUrl={iconBaseUrl} mode={mode} />
        {extras && <ExtraLinks extras={extras} mode={mode} />}
      </div>
    </article>
  );
}

interface PersonProps extends Pick<CardProps, 'profile' | 'palette' | 'logo' | 'mode'> {
  readonly children?: ReactNode;
}

/** Puts the portrait beside the name, for cards without a poster. */
export function Person({ profile, palette, logo, mode, children }: PersonProps) {
  return (
    <div className="card-person" dir={textDirection(displayName(profile))}>
      <Portrait profile={profile} palette={palette} />
      <NameAndRole profile={profile} logo={logo} mode={mode} />
      {children}
    </div>
  );
}

function NameAndRole({ profile, logo = '', mode }: Pick<CardProps, 'profile' | 'logo' | 'mode'>) {
  const texts = useContext(CardTexts);
  const Name = mode === 'live' ? 'h1' : 'p';
  const role = roleParts(profile, logo, useContext(IsTextWhole));
  const name = displayName(profile);
  const traits = nameVariants(name).map((trait) => ` name-${trait}`);
  return (
    <>
      <Name className={`card-name${traits.join('')}`} dir="auto">
        {name}
      </Name>
      {role.length > 0 && (
        <p className="card-role">
          {role.map(({ field, text, className, title }, index) => (
            <Fragment key={field}>
              {index > 0 && <span className="card-dot"> · </span>}
              <bdi className={className} title={title}>
                {field === 'companyName' && logo !== '' && (
                  <img
                    className={[
                      'card-logo',
                      ...logoVariants(logo).map((trait) => `logo-${trait}`),
                    ].join(' ')}
                    src={logo}
                    {...logoSize(logo)}
                    alt={text === '' ? profile.companyName || texts.logo : ''}
                  />
                )}
                {text}
              </bdi>
            </Fragment>
          ))}
        </p>
      )}
    </>
  );
}

/** Returns what the card shows below the name. A logo keeps the place of an empty company, and a word mark takes it. */
function roleParts({ designation, companyName }: Profile, logo: string, isWhole: boolean) {
  const company = isWordMark(logo) ? '' : shortenCardText(companyName, isWhole);
  const className = isWhole ? 'card-company whole-company' : 'card-company';
  const title = ['', companyName].includes(company) ? undefined : companyName;
  return [
    { field: 'designation', text: designation, className: undefined, title: undefined },
    { field: 'companyName', text: company, className, title },
  ].filter(({ field, text }) => text !== '' || (field === 'companyName' && logo !== ''));
}

function CardActions({ profile, mode }: Pick<CardProps, 'profile' | 'mode'>) {
  const texts = useContext(CardTexts);
  if (mode === 'preview') {
    return (
      <div className="card-actions">
        <span className="button button-filled">
          <Icon name="save" />
          {texts.save}
        </span>
        <span className="button button-outlined">
          <Icon name="connect" />
          {texts.connect}
        </span>
      </div>
    );
  }
  // The outer element reserves the space of the buttons while they stick to the bottom of a phone.
  return (
    <div className="card-actions-space">
      <div className="card-actions">
        <a
          className="button button-filled"
          href={`${cardPath(profile._id)}/contact.vcf`}
          data-kind="Save"
        >
          <Icon name="save" />
          {texts.save}
        </a>
        {/* The button works without script, because the pop-up is a popover. */}
        <button className="button button-outlined" type="button" popoverTarget={CONNECT_ID}>
          <Icon name="connect" />
          {texts.connect}
        </button>
        <ConnectOutcome profile={profile} />
      </div>
    </div>
  );
}

const isolateNumber = (number: string) => <bdi dir="ltr">{number}</bdi>;

function AboutMe({ bio, mode }: { readonly bio: string; readonly mode: CardMode }) {
  const texts = useContext(CardTexts);
  if (bio.trim() === '') return null;
  const Heading = mode === 'live' ? 'h2' : 'p';
  return (
    <section className="card-about" dir={textDirection(bio)}>
      <Heading className="card-heading">{texts.aboutMe}</Heading>
      {createElement(
        'p',
        { className: 'card-bio' },
        ...splitNumbers(bio).map((part, index) => (index % 2 ? isolateNumber(part) : part)),
      )}
      {mode === 'live' && isLongBio(bio) && <MoreToggle />}
    </section>
  );
}
