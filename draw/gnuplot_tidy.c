/* SPDX-License-Identifier: BSD-3-Clause
 * See gnuplot_tidy.h. One walk over the text, after one over the definitions of marks. */
#include "draw/gnuplot_tidy.h"

#include "sim/base/xalloc.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFINITIONS_MAX = 32 };

/* An element of <defs>. */
struct definition {
  const char *begin, *end;
  char id[32];
  bool used;
};

/* A picture being copied. */
struct picture {
  const char *name;
  char *title;             /* the beginning of titles made of the name */
  const char *defs, *body; /* beginning and end of the definitions; NULL: no definitions */
  struct definition definitions[DEFINITIONS_MAX];
  size_t n;
};

/* Tell whether TEXT begins with WORD. */
static bool begins(const char *text, const char *word) {
  return strncmp(text, word, strlen(word)) == 0;
}

/* Return the first character of TEXT after white space. */
static const char *behind_space(const char *text) {
  return text + strspn(text, " \t\r\n");
}

/* --- definitions --- */

/* Tell whether there is a reference to ID between BEGIN and END; NULL: the end of the text. */
static bool refers(const char *begin, const char *end, const char *id) {
  size_t length = strlen(id);
  for (const char *at = strchr(begin, '#'); at && (!end || at < end); at = strchr(at + 1, '#')) {
    if (strncmp(at + 1, id, length) == 0 && !isalnum((unsigned char)at[1 + length])) {
      return true;
    }
  }
  return false;
}

/* Note the definition at BEGIN.
 * returns: where the definition ends. */
static const char *note_definition(struct picture *picture, const char *begin) {
  struct definition *definition = &picture->definitions[picture->n++];
  const char *id = strstr(begin, " id='"), *end;
  if (begins(begin, "<filter")) {
    end = strstr(begin, "</filter>");
    end = end ? end + strlen("</filter>") : begin + strlen(begin);
  } else {
    end = strstr(begin, "/>");
    end = end ? end + strlen("/>") : begin + strlen(begin);
  }
  *definition = (struct definition){.begin = begin, .end = end};
  if (id && id < end) {
    int length = (int)strcspn(id + strlen(" id='"), "'");
    snprintf(definition->id, sizeof definition->id, "%.*s", length, id + strlen(" id='"));
  }
  return end;
}

/* Find the definitions of SVG, and mark each one referred to by the drawn text or a marked definition. */
static void find_definitions(struct picture *picture, const char *svg) {
  const char *defs = strstr(svg, "<defs>"), *end = defs ? strstr(defs, "</defs>") : NULL;
  if (!end) {
    return;
  }
  picture->defs = defs;
  picture->body = end + strlen("</defs>");
  for (const char *at = behind_space(defs + strlen("<defs>")); at < end && picture->n < DEFINITIONS_MAX;) {
    at = behind_space(note_definition(picture, at));
  }
  for (size_t i = picture->n; i-- > 0;) {
    struct definition *one = &picture->definitions[i];
    one->used = refers(picture->body, NULL, one->id);
    for (size_t j = i + 1; j < picture->n; j++) {
      const struct definition *other = &picture->definitions[j];
      one->used |= other->used && refers(other->begin, other->end, one->id);
    }
  }
}

/* --- copying --- */

/* Return the next place after BEGIN to look at, at most END. Text before the place is copied unchanged. */
static const char *next_special(const char *begin, const char *end) {
  begin += 1 + strcspn(begin + 1, " hu");
  return begin < end ? begin : end;
}

/* Copy the text from BEGIN to END, with the name of PICTURE in front of ids and without the attributes equal
 * to SVG's defaults. */
static void copy(const struct picture *picture, const char *begin, const char *end, FILE *stream) {
  static const char *const before_id[] = {" id='", " id=\"", "href='#", "url(#"};
  static const char usual[] = " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"";
  while (begin < end) {
    for (size_t i = 0; i < sizeof before_id / sizeof *before_id; i++) {
      if (begins(begin, before_id[i])) {
        fprintf(stream, "%s%s-", before_id[i], picture->name);
        begin += strlen(before_id[i]);
      }
    }
    if (begins(begin, usual)) {
      begin += strlen(usual);
    } else {
      const char *special = next_special(begin, end);
      fwrite(begin, 1, (size_t)(special - begin), stream);
      begin = special;
    }
  }
}

/* Return the end of the group at TEXT if the group draws nothing; NULL if the group draws something. */
static const char *behind_empty_group(const char *text) {
  static const char no_text[] = "<text></text>";
  const char *inside = begins(text, "<g ") ? strchr(text, '>') : NULL;
  if (!inside) {
    return NULL;
  }
  inside = behind_space(inside + 1);
  inside = begins(inside, no_text) ? behind_space(inside + strlen(no_text)) : inside;
  return begins(inside, "</g>") ? behind_space(inside + strlen("</g>")) : NULL;
}

/* Write the group with a hypertext at TEXT as a group with a title.
 * returns: where the beginning of the group ends; NULL: no such group begins at TEXT. */
static const char *copy_hypertext(const char *text, FILE *stream) {
  static const char begin[] = "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'",
                    no_title[] = "<title> </title>";
  const char *label = text + strlen(begin), *end = begins(text, begin) ? strstr(label, "')\"") : NULL;
  const char *title = end ? strstr(end, no_title) : NULL;
  if (!title) {
    return NULL;
  }
  fprintf(stream, "<g><title>%.*s</title>", (int)(end - label), label);
  return behind_space(title + strlen(no_title));
}

/* Copy the text at AT: the beginning of one special element, or one character.
 * returns: where the copied text ends. */
static const char *copy_next(const struct picture *picture, const char *at, FILE *stream) {
  const char *end;
  if (at == picture->defs) {
    fputs("<defs>", stream);
    for (size_t i = 0; i < picture->n; i++) {
      if (picture->definitions[i].used) {
        copy(picture, picture->definitions[i].begin, picture->definitions[i].end, stream);
      }
    }
    fputs("</defs>\n", stream);
    return picture->body;
  }
  if (begins(at, picture->title) && (end = strstr(at, "</title>"))) {
    return end + strlen("</title>");
  }
  if ((end = behind_empty_group(at)) || (end = copy_hypertext(at, stream))) {
    return end;
  }
  end = at + 1 + strcspn(at + 1, "<");
  copy(picture, at, end, stream);
  return end;
}

char *gnuplot_tidy(const char *svg, const char *name) {
  struct picture picture = {.name = name, .title = xasprintf("<title>%s", name)};
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  find_definitions(&picture, svg);
  while (*svg) {
    svg = copy_next(&picture, svg, stream);
  }
  fclose(stream);
  free(picture.title);
  return text;
}
