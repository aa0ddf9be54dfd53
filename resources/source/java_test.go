package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const javaFile = `/** Licence. */
@Checked package com.example . auth;

import java.util.List;
import java.util.*;
import static java.util.Map.Entry;
import static org.junit.Assert.*;

/** Says who may enter. */
@Deprecated(since = "1, 2", forRemoval = {true})
public final class Auth<T extends Comparable<? super T> & Cloneable>
		extends Base<List<T>> implements Runnable {
	static final int LIMIT = 3, BURST[] = {1, 2};
	@Nullable protected java.util.Map<String, List<int[]>> all = new HashMap<String, List<int[]>>(), other;
	private boolean less = 1 < 2, more = 3 > 2;
	String text = """
		class Not { "quoted" \""" }
		""";

	static { int local = 1; }
	{ run(); }

	// Auth begins.
	public Auth() throws @A({1}) Exception { this.all = null; }

	/** login of one. TODO(ana): #12 retry */
	@Override
	public <R> R[] login(@Named("a") String who, int... codes)[] {
		class Local { void hidden() {} }
		return (a, b) -> { char c = '{'; return '"'; };
	}
	native void run();

	public interface Listener { int X = 1; void on(); default void off() {} private void in() {} }
	@interface Mark { String[] value() default {"a", "b"}; int n() default 1; }
	sealed interface Shape permits Circle {}
	record Circle(@A(1) int radius, List<String>... names) implements Shape {
		Circle { check(); }
		Circle(int r) { this(r, null); }
		static int record = 1;
		int record() { return record; }
	}
	non-sealed static class Open {}
}

enum Op implements F {
	@X("{") PLUS("+") { int apply() { return 1; } },
	MINUS;
	final int n = 1;
	Op() {}
}
enum Empty { A, B, }
;
`

func TestJava(t *testing.T) {
	facts := Scan("Auth.java", []byte(javaFile))
	assert.Equal(t, "com.example.auth", facts.Package)
	assert.Empty(t, facts.Partial)
	assert.Equal(t, []Import{
		{"java.util.List", ValueImport, nil, 4}, {"java.util", ValueImport, []string{"*"}, 5},
		{"java.util.Map", ValueImport, []string{"Entry"}, 6}, {"org.junit.Assert", ValueImport, []string{"*"}, 7},
	}, facts.Imports)
	assert.Equal(t, strings.TrimSpace(`
10-44 class Auth +
13-13 constant Auth.LIMIT
13-13 constant Auth.BURST
14-14 variable Auth.all
14-14 variable Auth.other
15-15 variable Auth.less
15-15 variable Auth.more
16-18 variable Auth.text
24-24 method Auth.Auth +
27-31 method Auth.login +
32-32 method Auth.run
34-34 interface Auth.Listener +
34-34 constant Auth.Listener.X +
34-34 method Auth.Listener.on +
34-34 method Auth.Listener.off +
34-34 method Auth.Listener.in
35-35 interface Auth.Mark
35-35 method Auth.Mark.value +
35-35 method Auth.Mark.n +
36-36 interface Auth.Shape
37-42 class Auth.Circle
37-37 constant Auth.Circle.radius +
37-37 constant Auth.Circle.names +
38-38 method Auth.Circle.Circle
39-39 method Auth.Circle.Circle
40-40 variable Auth.Circle.record
41-41 method Auth.Circle.record
43-43 class Auth.Open
46-51 enum Op
47-47 constant Op.PLUS +
48-48 constant Op.MINUS +
49-49 constant Op.n
50-50 method Op.Op
52-52 enum Empty
52-52 constant Empty.A +
52-52 constant Empty.B +`), listed(facts))
	assert.Equal(t, "@Override public <R> R[] login(@Named(\"a\") String who, int... codes)[]", symbol(t, facts, "Auth.login").Signature)
	assert.Equal(t, "login of one. TODO(ana): #12 retry", symbol(t, facts, "Auth.login").Doc)
	assert.Equal(t, "Says who may enter.", symbol(t, facts, "Auth").Doc)
	assert.Equal(t, []Note{{Word: "TODO", Text: "#12 retry", Author: "ana", Issue: "12", Symbol: "Auth.login", Line: 26, Code: "@Override"}}, facts.Notes)
}

func TestFindJava(t *testing.T) {
	noticed(t, "Auth.java", javaFile, []changeOf{
		{"a body", `return '"'`, `return '\''`, "Auth Auth.login"},
		{"a comment in it", "this.all = null;", "this.all /* LIMIT = 4 } */ = null;", ""},
		{"its doc", "login of one", "login of two", ""},
		{"its form", "public Auth() throws", "public\n\n  Auth( ) throws", ""},
		{"a neighbour in the declaration", "BURST[] = {1, 2}", "BURST[] = {1, 3}", "Auth Auth.BURST"},
		{"a group", "static final int LIMIT = 3, BURST[]", "static final int LIMIT = 3; static final int BURST[]", "Auth"},
		{"a mention", "class Not {", "class Not { login LIMIT", "Auth Auth.text"},
		{"an annotation", `@Named("a")`, `@Named("b")`, "Auth Auth.login"},
		{"a trailing comma", `{"a", "b"}`, `{"a", "b",}`, ""},
		{"an import", "java.util.List", "java.util.Set", ""},
		{"line ends", "\n", "\r\n", ""},
	})
	part := Find("Auth.java", "login", []byte(javaFile))
	assert.Equal(t, []string{"Auth.login"}, part.Names)
	assert.False(t, Find("Auth.java", "hidden", []byte(javaFile)).SHA256 != "", "a local one")
	torn := Find("Auth.java", "Auth.gone", []byte(strings.Replace(javaFile, "native void run();", "native void run() {", 1)))
	assert.True(t, torn.Exists && torn.SHA256 == "", "nobody can tell in a file that does not parse")
	assert.False(t, Find("Auth.java", "Auth.gone", []byte(javaFile)).Exists)
}

func FuzzJava(f *testing.F) { fuzzed(f, "a.java", javaFile) }
