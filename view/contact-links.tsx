import { useContext } from 'react';

import { displayShort } from '#domain/display.ts';
import type { CardExtras } from '#domain/extras.ts';
import { socialLinks } from '#domain/handle.ts';
import type { SocialMediaHandles } from '#domain/handle.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { createMosaic } from '#domain/mosaic.ts';
import type { Network } from '#domain/network.ts';
import { mailHref } from '#domain/href.ts';
import type { Profile } from '#domain/profile.ts';
import { tileSpans } from '#domain/tile-span.ts';

import { Icon, NetworkIcon } from './icon.tsx';
import { CardTexts } from './language.tsx';

/** 'preview' has no links and focusable elements. */
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

/** The lines of every card. */
export function contactLines({ email }: Profile, phoneText: string) {
  const lines = [
    { icon: 'call', kind: 'Call', text: phoneText },
    { icon: 'email', kind: 'Email', text: displayShort(email), wholeText: email },
  ] as const;
  return lines.filter(({ icon, text }) => icon === 'call' || text !== '');
}

export function ContactLinks(props: ContactLinksProps) {
  const { profile, mode, phoneText, phoneHref, extras, secondPhone } = props;
  const texts = useContext(CardTexts);
  const emailHref = (email: string) => (mode === 'live' ? mailHref(email) : null);
  const hrefs = { call: phoneHref, email: emailHref(profile.email) };
  const email = extras?.email ?? '';
  return (
    <ul className="contact-links">
      {contactLines(profile, phoneText).map(({ text, icon, ...line }) => (
        <Row key={icon} {...line} id={icon} label={texts[icon]} href={hrefs[icon]}>
          {text}
        </Row>
      ))}
      {secondPhone && (
        <Row id="call2" label={texts.secondPhone} kind="Call" href={secondPhone.href}>
          {secondPhone.text}
        </Row>
      )}
      {email !== '' && (
        <Row
          id="email2"
          label={texts.secondEmail}
          kind="Email"
          href={emailHref(email)}
          wholeText={email}
        >
          {displayShort(email)}
        </Row>
      )}
    </ul>
  );
}

interface RowProps {
  readonly id: string;
  readonly label: string;
  /** The kind of a visit (domain/visit.ts). */
  readonly kind: 'Call' | 'Email';
  /** null in a preview, and for a phone that cannot be dialled. */
  readonly href: string | null;
  /** Described, copied and printed instead of a value that is cut. */
  readonly wholeText?: string;
  readonly children: string;
}

/**
 * Only the label is in the link, so it is the accessible name. The style extends the clickable
 * area.
 */
function Row({ id, label, kind, href, wholeText, children }: RowProps) {
  const { copyEmail, email } = useContext(CardTexts);
  const cut = wholeText === children ? undefined : wholeText;
  const valueId = href === null || cut !== undefined ? undefined : `${id}-value`;
  return (
    <li className="contact-row">
      {href === null ? (
        <span className="contact-label">{label}</span>
      ) : (
        <a
          className="contact-label"
          href={href}
          title={cut}
          aria-describedby={valueId}
          data-kind={kind}
        >
          {label}
        </a>
      )}
      <bdi className="contact-value" id={valueId} data-print={cut}>
        {children}
      </bdi>
      {href !== null && kind === 'Email' && (
        <CopyButton
          value={wholeText}
          name={label === email ? copyEmail : `${copyEmail}: ${wholeText ?? ''}`}
        />
      )}
    </li>
  );
}

interface CopyButtonProps {
  readonly value: string | undefined;
  readonly name: string;
}

/** The card's script shows it. */
export function CopyButton({ value, name }: CopyButtonProps) {
  return (
    <button className="contact-copy" type="button" value={value} aria-label={name} hidden>
      <Icon name="copy" />
    </button>
  );
}

interface SocialLinksProps {
  /** It selects the round corner of the tiles. */
  readonly seed: string;
  readonly handles: SocialMediaHandles;
  readonly iconBaseUrl: string;
  readonly mode: CardMode;
}

/** In the order of docs/product.md#public-card. */
export function SocialLinks({ seed, handles, iconBaseUrl, mode }: SocialLinksProps) {
  const texts = useContext(CardTexts);
  const links = socialLinks(handles);
  if (links.length === 0) return null;
  const spans = tileSpans(links.length);
  const [tile] = createMosaic(seed).tiles;
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
                rel={OUTSIDE_REL}
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
export const OUTSIDE_REL = 'noopener noreferrer nofollow ugc';
