import type { ComponentChildren, JSX } from "preact";

/** A table whose rows become cards on narrow screens, where each cell says what it is. */
export function CardTable(props: {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly name: string;
}): JSX.Element {
  const { heads, rows, name } = props;
  return (
    <table class={`cards ${name}`}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={heads[column]} data-head={heads[column]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
