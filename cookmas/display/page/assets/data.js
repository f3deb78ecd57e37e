/* Reads the data in the page, which are compressed JSON lines. */

/** Return the text that a script element of the page holds compressed. */
async function unpacked(element) {
  const binary = atob(element.textContent.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Return the film of a script element. */
async function embedded(element) {
  const film = new Film();
  for (const line of (await unpacked(element)).split("\n")) if (line) film.push(JSON.parse(line));
  return film;
}
