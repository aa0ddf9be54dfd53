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
APP_BEGIN_NAMESPACE

template <typename A, int N = (1 < 2)>
concept Small = sizeof(A) < N;
template <class A> requires Small<A, 8> && (sizeof(A) > 1)
[[nodiscard]] inline auto pick(A a) -> decltype(a.f()) { return a.f(); }
struct APP_API alignas(8) Node final : std::map<int, Node *>, virtual Base {
	explicit Node(int n) noexcept : map(), n_{n} {}
	Node(const Node &) = delete;
	operator bool() const { return n_ > 0; }
	int operator()(int x) const;
	Node &operator<<(int x);
	friend bool operator<(const Node &a, const Node &b) { return a.n_ < b.n_; }
	void lock() EXCLUSIVE_LOCKS_REQUIRED(mutex_);
	class Inner;
private:
	int n_ GUARDED_BY(mutex_) = 1'000;
	union { int a; float b; };
	enum { Few = 1 << 2, Many = 8 >> 1 };
public:
	using Map = std::map<int, Node *>;
};
TEST(Parser, Escapes) { EXPECT_EQ(1, 1); }
DEFINE_THING(x);
namespace { int hidden() { return 1; } }
namespace a::b { static const std::vector<int> all{1, 2}; Node made(1, "x"); }
Node::Node(int a, int b) try : n_(a) { } catch (...) { }
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
36-36 function start +
39-40 type Small +
41-42 function pick +
43-58 class Node +
44-44 method Node.Node +
45-45 method Node.Node +
46-46 method Node.operator +
47-47 method Node.operator +
48-48 method Node.operator +
50-50 method Node.lock +
53-53 variable Node.n_
54-54 variable Node.a
54-54 variable Node.b
55-55 constant Node.Few
55-55 constant Node.Many
57-57 type Node.Map +
59-59 function Parser.Escapes +
61-61 function hidden
62-62 module a.b +
62-62 variable a.b.all
62-62 variable a.b.made +
63-63 method Node.Node +`), listed(facts))
}

func TestFindCpp(t *testing.T) {
	noticed(t, "a.cpp", cppFile, []changeOf{
		{"a body", "[0]", "[1]", "Auth.login"},
		{"a condition in it", "#ifdef X", "#ifdef Y", "Auth.login"},
		{"a comment in it", "if (who) {", "if (who) { /* } */", ""},
		{"line ends", "\n", "\r\n", ""},
	})
}

func FuzzCpp(f *testing.F) { fuzzed(f, "a.cpp", cppFile) }
