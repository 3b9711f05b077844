import { useContext } from 'react';
import type { AnchorHTMLAttributes } from 'react';

import { shortenCardText } from '#domain/display.ts';
import type { CardExtras } from '#domain/extras.ts';
import { socialLinks } from '#domain/handle.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { ONE_TILE, createMosaic } from '#domain/mosaic.ts';
import type { Network } from '#domain/network.ts';
import { mailHref } from '#domain/href.ts';
import type { Profile } from '#domain/profile.ts';
import { tileSpans } from '#domain/tile-span.ts';

import { Icon, NetworkIcon } from './icon.tsx';
import { CardTexts, IsTextWhole } from './language.tsx';

/** A preview contains no links and no focusable elements. */
export type CardMode = 'live' | 'preview';

interface ContactLinksProps {
  readonly profile: Profile;
  readonly mode: CardMode;
  readonly phoneText: string;
  readonly phoneHref: string | null;
  readonly extras?: CardExtras | undefined;
  readonly secondPhone?: SecondPhone | undefined;
}

/** The second phone as its country writes it. */
export interface SecondPhone {
  readonly text: string;
  readonly href: string | null;
}

export function ContactLinks(props: ContactLinksProps) {
  const { profile, mode, phoneText, phoneHref, extras, secondPhone } = props;
  const texts = useContext(CardTexts);
  const isLive = mode === 'live';
  const emailRow = (id: string, label: string, email: string) =>
    email !== '' && (
      <ContactRow
        kind="Email"
        {...{ id, label }}
        text={email}
        href={isLive ? mailHref(email) : null}
      />
    );
  return (
    <ul className="contact-links">
      <ContactRow id="call" label={texts.call} kind="Call" href={phoneHref} text={phoneText} />
      {emailRow('email', texts.email, profile.email)}
      {secondPhone && (
        <ContactRow id="call2" label={texts.secondPhone} kind="Call" {...secondPhone} />
      )}
      {emailRow('email2', texts.secondEmail, extras?.email ?? '')}
    </ul>
  );
}

interface ContactRowProps {
  readonly id: string;
  readonly label: string;
  /** The kind of a visit (domain/visit.ts). */
  readonly kind: 'Call' | 'Email';
  /** The link is null in a preview, and for a phone that cannot be dialled. */
  readonly href: string | null;
  /** An email is shown shortened (docs/develop/product.md#public-card), but described, copied and printed in full. */
  readonly text: string;
}

function ContactRow({ id, label, kind, href, text }: ContactRowProps) {
  const { copyEmail, email } = useContext(CardTexts);
  const isWhole = useContext(IsTextWhole);
  const isEmail = kind === 'Email';
  const displayText = isEmail ? shortenCardText(text, isWhole) : text;
  const fullText = displayText === text ? undefined : text;
  const valueId = href === null || fullText !== undefined ? undefined : `${id}-value`;
  return (
    <li className="contact-row">
      <RowLabel href={href} title={fullText} aria-describedby={valueId} data-kind={kind}>
        {label}
      </RowLabel>
      <bdi
        className={isEmail && isWhole ? 'contact-value whole-email' : 'contact-value'}
        id={valueId}
        data-print={fullText}
      >
        {displayText}
      </bdi>
      {href !== null && isEmail && (
        <CopyButton value={text} name={label === email ? copyEmail : `${copyEmail}: ${text}`} />
      )}
    </li>
  );
}

interface RowLabelProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly href: string | null;
  readonly 'data-kind': string;
}

/**
 * Only the label is in the link, so it is the accessible name. The style extends the clickable
 * area.
 */
export function RowLabel({ href, children, ...link }: RowLabelProps) {
  if (href === null) return <span className="contact-label">{children}</span>;
  return (
    <a className="contact-label" href={href} {...link}>
      {children}
    </a>
  );
}

/** The button is hidden until the card's script shows it. */
export function CopyButton({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <button className="contact-copy" type="button" value={value} aria-label={name} hidden>
      <Icon name="copy" />
    </button>
  );
}

interface SocialLinksProps {
  readonly profile: Profile;
  readonly iconBaseUrl: string;
  readonly mode: CardMode;
}

/** Renders the links in the order of docs/develop/product.md#public-card. */
export function SocialLinks({ profile, iconBaseUrl, mode }: SocialLinksProps) {
  const texts = useContext(CardTexts);
  const links = socialLinks(profile.socialMediaHandles);
  if (links.length === 0) return null;
  const spans = tileSpans(links.length);
  // The rotation of the first tile selects which corner of the links is round.
  const [tile] = createMosaic(profile._id, ONE_TILE).tiles;
  return (
    <ul className={`card-socials corner-${tile?.rotation ?? 0}`}>
      {links.map(({ network, name, href }, index) => {
        const content = (
          <>
            <NetworkIcon network={network} iconBaseUrl={iconBaseUrl} />
            <span>{networkLabel(network, texts) ?? name}</span>
          </>
        );
        return (
          <li key={network} className={`span-${spans[index] ?? 0}`}>
            {mode === 'preview' ? (
              <span className="social-tile">{content}</span>
            ) : (
              <a
                className="social-tile"
                href={href}
                target="_blank"
                rel={EXTERNAL_LINK_REL}
                data-kind={name}
              >
                {content}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Translates names that are words. The others are the same in every language. */
function networkLabel(network: Network, { website, maps }: Catalogue['card']): string | undefined {
  return { Web: website, Maps: maps }[network as string];
}

/** The linked page cannot access this window, and search engines do not count the link. */
export const EXTERNAL_LINK_REL = 'noopener noreferrer nofollow ugc';
