import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { ExtraLink } from '#domain/extras.ts';
import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { VCARD_TYPES } from '#domain/share.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { isLocked } from '#web/shared/http/settings.ts';
import { PhotoEditor } from '#web/shared/photo/photo-editor.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import type { Filling, Person } from './own-card.ts';

/** A file with more people is an address book, in which nobody looks for themselves. */
const CHOICES_MAX = 500;

interface FillInProps {
  readonly profile: Profile;
  /** The profile with the unsaved changes. */
  readonly card: Profile;
  /** The links of one's own, or null if the card cannot have any. */
  readonly links: readonly ExtraLink[] | null;
  readonly onFill: (profile: ProfileChange, links?: readonly ExtraLink[]) => void;
}

function useFillIn({ profile, card, links, onFill }: FillInProps) {
  const [filling, setFilling] = useState<Filling | null>(null);
  const [photo, setPhoto] = useState<Blob | null>(null);
  const read = useMutation({
    mutationFn: async (file: File) => (await loadCode(import('./own-card.ts'))).readPeople(file),
    onMutate: () => {
      setFilling(null);
      setPhoto(null);
    },
    onSuccess: ([person, ...others]) => {
      if (person && others.length === 0) choose(person);
    },
  });
  const choose = (person: Person) => {
    const found = person.fill(card, links);
    const isWithLinks = found.links.length > 0;
    if (found.count > 0)
      onFill(found.profile, isWithLinks ? [...(links ?? []), ...found.links] : undefined);
    if (profile.profilePhoto === '' && !isLocked('photo', '')) setPhoto(person.photo());
    setFilling(found);
  };
  const undo = (filled: Filling) => {
    const isKept = ({ url }: ExtraLink) => filled.links.every((one) => one.url !== url);
    onFill(
      withoutFilled(card, filled),
      filled.links.length > 0 ? links?.filter(isKept) : undefined,
    );
    read.reset();
  };
  const choices = filling === null ? (read.data ?? []) : [];
  return { read, filling: read.isSuccess ? filling : null, photo, choose, undo, choices };
}

/** See docs/develop/product.md#fill-in-from-a-contact-file. */
export function FillIn(props: FillInProps) {
  const { read, filling, photo, choose, undo, choices } = useFillIn(props);
  return (
    <div className="stack">
      <div className="row">
        <Button
          isBusy={read.isPending}
          onClick={(event) => chooseFile(event.currentTarget, read.mutate)}
        >
          Fill in from a contact file
        </Button>
        {filling && filling.count > 0 && (
          <Button variant="plain" onClick={() => undo(filling)}>
            Undo
          </Button>
        )}
      </div>
      <output className={read.isError ? 'error' : 'note'}>
        {read.error?.message ?? (filling && resultText(filling, photo))}
      </output>
      {choices.length > 1 && (
        <Dialog title="Which one is you?" onClose={read.reset} initialFocus="first">
          <ul className="catalogue">
            {choices.slice(0, CHOICES_MAX).map((person, index) => (
              // eslint-disable-next-line react/no-array-index-key -- two people can be alike
              <li key={index} className="catalogue-entry row">
                <Button onClick={() => choose(person)}>
                  <bdi>{person.name}</bdi>
                </Button>
                <span className="muted">{person.about}</span>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {photo && <PhotoEditor profile={props.profile} startsOpen picture={photo} />}
    </div>
  );
}

/** The input is in the page only while a file is chosen, because the photo dialogs have one too. */
function chooseFile(button: HTMLElement, onChoose: (file: File) => void): void {
  button.parentElement?.querySelector('input')?.remove();
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', hidden: true, accept: VCARD_TYPES.join(',') });
  input.setAttribute('aria-label', 'Contact file');
  input.addEventListener('change', () => {
    const [chosen] = input.files ?? [];
    input.remove();
    if (chosen) onChoose(chosen);
  });
  button.after(input);
  input.click();
}

function resultText({ count }: Filling, photo: Blob | null): string {
  if (count > 0) return `Filled in ${count} ${count === 1 ? 'field' : 'fields'}.`;
  return photo ? '' : 'Nothing in this file fits a field that is still empty.';
}

/** Empties what was filled in, except what was changed since. */
function withoutFilled(card: Profile, { profile }: Filling): ProfileChange {
  const fields = PROFILE_FIELD_NAMES.filter((name) => profile[name] === card[name]);
  const filled = profile.socialMediaHandles ?? {};
  const handles = NETWORKS.filter(
    (one) => filled[one] && filled[one] === card.socialMediaHandles[one],
  );
  return {
    ...Object.fromEntries(fields.map((name) => [name, ''])),
    socialMediaHandles: Object.fromEntries(handles.map((network) => [network, null])),
  };
}
