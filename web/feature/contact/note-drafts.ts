import { useEffect, useState } from 'react';
import { del, entries, set } from 'idb-keyval';

import type { OwnContact } from '#contract/contacts-view.ts';
import { mergeNotes } from '#domain/contact.ts';
import { PATHS } from '#domain/path.ts';
import { cleanInput } from '#domain/text.ts';
import { database } from '#web/shared/http/database.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { isNoteDraftKey, noteDraftKey, storedId } from '#web/shared/http/storage.ts';
import { useUnsavedGuard } from '#web/shared/profile/draft.ts';

/* This browser keeps private notes until they are saved (docs/develop/product.md#contacts-view). */

const QUESTION = "Leave without saving? A private note isn't saved yet.";

interface KeptDraft {
  readonly contactId: string;
  readonly name: string;
  readonly note: string;
  /** The saved note on which the owner's text is based. */
  readonly base: string;
}

interface Draft extends KeptDraft {
  readonly hasFailed: boolean;
  /** Whether the draft comes from an earlier load of the page. */
  readonly isRestored: boolean;
}

type DraftMap = ReadonlyMap<string, Draft>;

/** The drafts outlive the view, because a save may end after the owner has left it. */
let unsavedNotes: DraftMap = new Map();
let areKept = true;

/** Never rejects. */
async function keepDraft(draft: KeptDraft): Promise<void> {
  try {
    await set(noteDraftKey(storedId() ?? '', draft.contactId), draft, database);
    areKept = true;
  } catch (cause) {
    areKept = false;
    logFailure('The private note is in this page only', cause);
  }
}

/** Never rejects. */
async function readKept(): Promise<DraftMap> {
  try {
    const all = await entries<string, KeptDraft>(database);
    const own = all.filter(([key]) => isNoteDraftKey(storedId() ?? '', key));
    return new Map(
      own.map(([, kept]) => [kept.contactId, { ...kept, hasFailed: true, isRestored: true }]),
    );
  } catch {
    // A browser that blocks its storage has kept nothing.
    return new Map();
  }
}

/** Manages the unsaved notes of all contacts. If a save has failed, leaving the page needs a confirmation. */
export function useDrafts() {
  const [drafts, setDrafts] = useState(unsavedNotes);
  const failed = [...drafts.values()].filter(({ hasFailed }) => hasFailed);
  useUnsavedGuard({
    path: PATHS.contacts,
    hasUnsaved: drafts.size > 0,
    isSavedOnLeave: failed.every(({ isRestored }) => isRestored),
    isKept: areKept,
    question: QUESTION,
  });
  const update = (change: (before: DraftMap) => DraftMap) => {
    unsavedNotes = change(unsavedNotes);
    setDrafts(unsavedNotes);
  };
  useEffect(() => {
    const addKept = async () => {
      unsavedNotes = new Map([...(await readKept()), ...unsavedNotes]);
      setDrafts(unsavedNotes);
    };
    void addKept();
  }, []);
  const remove = (contactId: string) => {
    void del(noteDraftKey(storedId() ?? '', contactId), database).catch(() => undefined);
    update((before) => new Map([...before].filter(([id]) => id !== contactId)));
  };
  const keep = (draft: KeptDraft) => {
    void keepDraft(draft);
    const added = { ...draft, hasFailed: false, isRestored: false };
    update((before) => new Map([...before, [draft.contactId, added]]));
  };
  /** Returns the saved note on which what is shown for a contact is based. */
  const baseOf = ({ _id, note }: OwnContact) => unsavedNotes.get(_id)?.base ?? note;
  return {
    failed,
    get: ({ _id }: OwnContact) => drafts.get(_id),
    baseOf,
    set: (contact: OwnContact, note: string) =>
      keep({ contactId: contact._id, name: contact.name, note, base: baseOf(contact) }),
    fail: (id: string) =>
      update((before) => {
        const draft = before.get(id);
        return draft ? new Map([...before, [id, { ...draft, hasFailed: true }]]) : before;
      }),
    remove,
    /** Removes the draft. If it has changed since `sent` was sent, it is then based on `saved`. */
    settle: (contactId: string, sent: string, saved: string) => {
      const draft = unsavedNotes.get(contactId);
      if (draft && cleanInput(draft.note) === sent) remove(contactId);
      else if (draft) keep({ ...draft, note: mergeNotes(draft.note, sent, saved), base: saved });
    },
  };
}

export type Drafts = ReturnType<typeof useDrafts>;
