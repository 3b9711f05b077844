import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { getOwnTable, getTable, getTableLive } from '#contract/table.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { CallError, prepareCall, send } from '#web/shared/http/call.ts';
import { ownerQuery, queryClient, withConnectionCheck } from '#web/shared/http/query.ts';

export const ownTableQuery = () => ownerQuery(getOwnTable);
export const reloadOwnTable = () => queryClient.invalidateQueries(ownTableQuery());

/** Returns the query for a table, which is repeated whenever the table changes. */
export function useTable(id: string) {
  const query = useQuery({
    queryKey: [getTable.path, id],
    queryFn: () => withConnectionCheck(() => send(getTable, { params: { table: id } })),
    // The stream announces changes at once. Polling covers browsers that cannot open it.
    refetchInterval: 10 * SECOND_MS,
  });
  const { refetch, error } = query;
  const hasEnded = error instanceof CallError && error.error?.error === 'table_ended';
  useEffect(() => {
    const events = new EventSource(prepareCall(getTableLive, { params: { table: id } }).url);
    // After a cut connection, changes may have been missed.
    for (const name of ['changed', 'open']) events.addEventListener(name, () => void refetch());
    return () => events.close();
  }, [id, refetch]);
  useEffect(() => {
    if (hasEnded) void reloadOwnTable();
  }, [hasEnded]);
  return query;
}
