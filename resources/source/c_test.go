package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const cFixture = `#include <stdio.h>
#include "lib/api.h" // TODO: #4 drop it
#include CONFIG
#ifndef A_H
#define A_H
#define LIMIT 0x10 /* how { many,
  and why */
# define MAX(a, b) \
	((a) > (b) ? "//" : '"')
#if 0
	it isn't read {
#elif 1
typedef struct node { struct node *next; unsigned on : 1, : 0, off : 2; } node_t, *node_p;
#endif

/* Says who may enter. */
EXPORT(int)
login(const char *who, int (*check)(int, void *))
{
#ifdef WIDE
	if (who) {
#else
	if (!who) {
		{
#endif
		return '"';
	}
}
struct flag { const char *name; } flags[] = { { "a" }, { "}" } };
enum color { RED, GREEN = 2, /* } */ BLUE };
typedef enum { ONE, TWO } count_t;
static int (*handler)(int), table[3][LIMIT] = { { 1 } }, *last;
struct opaque;
extern struct opaque *opaque_new(void) __attribute__((malloc));
int old(a, b)
	int a;
	char *b;
{
	return a < 1 && 2 > a;
}
void (*signal(int sig, void (*func)(int)))(int);
int (lua_gettop)(lua_State *L);
typedef int callback(int), (*callback_p)(int);
static inline int \
joined(void) { return 1; } // goes \
on { here
LIST_HEAD(name) head;
`

func TestC(t *testing.T) {
	facts := Scan("a.c", []byte(cFixture))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, "C", facts.Language)
	assert.Equal(t, []Import{{"<stdio.h>", ValueImport, []string{"*"}, 1}, {"lib/api.h", ValueImport, []string{"*"}, 2}}, facts.Imports)
	assert.Equal(t, strings.TrimSpace(`
6-7 constant LIMIT +
8-9 function MAX +
13-13 class node +
13-13 type node_t +
13-13 type node_p +
13-13 variable node.next +
13-13 variable node.on +
13-13 variable node.off +
17-28 function login +
29-29 class flag +
29-29 variable flags +
29-29 variable flag.name +
30-30 enum color +
30-30 constant color.RED +
30-30 constant color.GREEN +
30-30 constant color.BLUE +
31-31 type count_t +
31-31 constant count_t.ONE +
31-31 constant count_t.TWO +
32-32 variable handler
32-32 variable table
32-32 variable last
34-34 function opaque_new +
35-40 function old +
41-41 function signal +
42-42 function lua_gettop +
43-43 type callback +
43-43 type callback_p +
44-45 function joined
47-47 variable head +`), listed(facts))
	assert.Equal(t, "4", facts.Notes[0].Issue)
	assert.Equal(t, "Says who may enter.", symbol(t, facts, "login").Doc)
}

func TestFindC(t *testing.T) {
	noticed(t, "a.c", cFixture, []changeOf{
		{"a body", `return '"'`, `return '\''`, "login"},
		{"a condition in it", "#ifdef WIDE", "#ifndef WIDE", "login"},
		{"a condition's form", "#ifdef WIDE", "# ifdef   WIDE // why", ""},
		{"a macro", "? \"//\"", "? \"/*\"", "MAX"},
		{"a macro's comment", "how { many", "LIMIT { many", ""},
		{"what is not compiled", "it isn't read {", "LIMIT", ""},
		{"a neighbour", "BLUE }", "BLACK }", "color color.BLUE"},
		{"line ends", "\n", "\r\n", ""},
	})
	torn := Find("a.c", "gone", []byte(strings.Replace(cFixture, "enum color {", "enum color {{", 1)))
	assert.True(t, torn.Exists && torn.SHA256 == "")
}

func FuzzC(f *testing.F) { fuzzed(f, "a.c", cFixture) }
