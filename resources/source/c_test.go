package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const cppFile = `#include <vector>
#include "auth/base.h"
#ifndef AUTH_H
#define AUTH_H
#if 0
	don't read }
#endif
#define LIMIT 3 /* how { many */
#define MAX(a, b) \
	((a) > (b))
namespace app {
// Says who may enter.
template <typename T>
class Auth : public Base<T> {
public:
	Auth() : a(1), b{2} { }
	virtual ~Auth();
	int login(int who) const;
	std::vector<T> all, other;
	enum Mode { On, Off = 2 };
};
}
int Auth<int>::login(int who) const {
#ifdef X
	if (who) {
#else
	if (!who) {
#endif
		return R"x( } )" )x"[0];
	}
}
static int *count = 0, total;
typedef struct { int q; } Pair;
using Id = int;
bool operator==(const Pair &a, const Pair &b) { return true; }
extern "C" { int start(void); }
`

func TestCpp(t *testing.T) {
	facts := Scan("a.cpp", []byte(cppFile))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, []Import{{"<vector>", ValueImport, []string{"*"}, 1}, {"auth/base.h", ValueImport, []string{"*"}, 2}}, facts.Imports)
	assert.Equal(t, strings.TrimSpace(`
8-8 constant LIMIT +
9-10 function MAX +
11-22 module app +
13-21 class app.Auth +
16-16 method app.Auth.Auth +
17-17 method app.Auth.~Auth +
18-18 method app.Auth.login +
19-19 variable app.Auth.all +
19-19 variable app.Auth.other +
20-20 enum app.Auth.Mode +
20-20 constant app.Auth.Mode.On +
20-20 constant app.Auth.Mode.Off +
23-31 method Auth.login +
32-32 variable count
32-32 variable total
33-33 type Pair +
33-33 variable Pair.q +
34-34 type Id +
35-35 function operator +
36-36 function start +`), listed(facts))
}

func TestFindCpp(t *testing.T) {
	noticed(t, "a.cpp", cppFile, []changeOf{
		{"a body", "[0]", "[1]", "Auth.login"},
		{"a condition in it", "#ifdef X", "#ifdef Y", "Auth.login"},
		{"a comment in it", "if (who) {", "if (who) { /* } */", ""},
		{"line ends", "\n", "\r\n", ""},
	})
}

func FuzzC(f *testing.F) { fuzzed(f, "a.cpp", cppFile) }
