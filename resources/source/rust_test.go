package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const rustFile = `#!/usr/bin/env run
//! A crate. /* not open
#![allow(dead_code)]
use std::{fmt::{self, Display as D}, io::*, mem};
pub(crate) use ::core::r#type;
pub use crate::auth::Auth;
use {a, b::c};
extern crate alloc as std_alloc;
mod other;

/* a /* nested */ comment { */
/// How many.
#[cfg(any(a, b))]
pub const LIMIT: [u8; { 1 + 2 }] = [b'{', b'\'', '\u{7d}' as u8];
static mut COUNT: usize = 1 << 3;
const _: () = { assert!(true) };

#[derive(Debug)]
/// One who enters.
pub struct Auth<'a, T: Into<Vec<u8>> = String, const N: usize = { 1 + 1 }>
where
    T: Fn(&'a str) -> Vec<Vec<T>>,
{
    /// who it is
    #[serde(rename = "}")]
    pub name: &'a str,
    r#type: fn(u8) -> Option<Box<dyn Fn(T) -> T>>,
}
struct Unit;
pub struct Pair(pub u8, u8);

impl<'a, T, const N: usize> Auth<'a, T, N> {
    const MAX: usize = N;
    /// login of one. TODO(#7): retry
    #[inline]
    pub async unsafe fn login<F: FnOnce(char) -> bool>(&self, f: F) -> Result<(), [u8; 2]> where F: 'a {
        fn local() {}
        let raw = r##"a "# } "##; let b = br"\"; let c = c"{"; let r#fn = '"';
        if f('{') { 'outer: loop { break 'outer; } }
        Ok(())
    }
}

impl<T: for<'x> Fn(&'x u8)> fmt::Display for crate::Auth<'_, T> {
    type Out = u8;
    fn fmt(&self) -> u8 { 1 }
}
impl<'a> From<&'a u8> for &'a mut dyn Show { fn from(u: &'a u8) -> Self { todo!() } }
impl Show for [u8] { fn slice() {} }

pub unsafe trait Show: Send + 'static {
    type Item<'a>: Iterator<Item = u8> where Self: 'a;
    const ID: u8 = 1;
    fn show(&self);
    fn twice(&self) { self.show() }
}

#[repr(u8)]
enum Op { #[default] Plus = b'+', Minus { by: u8 }, Both(u8, u8), }
union Bits { a: u8, b: i8 }
type Alias<T> = Result<T, Box<dyn Error>>;

#[macro_export]
macro_rules! check { ($e:expr) => { if !$e { fn not_seen() {} } }; }
macro_rules! round ( () => {} );
thread_local! { static LOCAL: u8 = 1; }
bitflags::bitflags!(struct Flags: u8 { const A = 1; });

unsafe extern "C" { fn c_call(x: *const u8, ...) -> i32; static ERR: i32; }
pub extern "C" fn given() {}

#[cfg(test)]
mod tests {
    use super::*;
    pub fn helper() {}
}
`

func TestRust(t *testing.T) {
	facts := Scan("lib.rs", []byte(rustFile))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, []Import{
		{"std::fmt", ValueImport, []string{"self", "Display"}, 4}, {"std::io", ValueImport, []string{"*"}, 4}, {"std", ValueImport, []string{"mem"}, 4},
		{"::core", ReExport, []string{"type"}, 5}, {"crate::auth", ReExport, []string{"Auth"}, 6},
		{"a", ValueImport, nil, 7}, {"b", ValueImport, []string{"c"}, 7}, {"alloc", ValueImport, nil, 8}, {"mod other", ValueImport, nil, 9},
		{"super", ValueImport, []string{"*"}, 74},
	}, facts.Imports)
	assert.Equal(t, strings.TrimSpace(`
13-14 constant LIMIT +
15-15 variable COUNT
18-28 class Auth +
25-26 variable Auth.name +
27-27 variable Auth.type
29-29 class Unit
30-30 class Pair +
33-33 constant Auth.MAX
35-41 method Auth.login +
45-45 type Auth.Out +
46-46 method Auth.fmt +
48-48 method Show.from +
49-49 method slice +
51-56 interface Show +
52-52 type Show.Item +
53-53 constant Show.ID +
54-54 method Show.show +
55-55 method Show.twice +
58-59 enum Op
59-59 constant Op.Plus +
59-59 constant Op.Minus +
59-59 constant Op.Both +
60-60 class Bits
60-60 variable Bits.a
60-60 variable Bits.b
61-61 type Alias
63-64 function check +
65-65 function round
69-69 function c_call
69-69 constant ERR
70-70 function given +
72-76 module tests
75-75 function tests.helper +`), listed(facts))
	assert.Equal(t, "How many.", symbol(t, facts, "LIMIT").Doc)
	login := symbol(t, facts, "Auth.login")
	assert.Equal(t, "#[inline] pub async unsafe fn login<F: FnOnce(char) -> bool>(&self, f: F) -> Result<(), [u8; 2]> where F: 'a", login.Signature)
	assert.Equal(t, []Note{{Word: "TODO", Text: "retry", Issue: "7", Symbol: "Auth.login", Line: 34, Code: "#[inline]"}}, facts.Notes)
}

func TestFindRust(t *testing.T) {
	noticed(t, "lib.rs", rustFile, []changeOf{
		{"a body", "break 'outer", "continue 'outer", "Auth.login"},
		{"a raw string", `a "# }`, `a "# }}`, "Auth.login"},
		{"a comment in it", "fn local() {}", "/* Ok /* LIMIT */ */ fn local() {}", ""},
		{"its doc", "login of one", "login of two", ""},
		{"its form", "fn fmt(&self) -> u8 { 1 }", "fn fmt(\n&self,\n) -> u8\n{\n1\n}", ""},
		{"a field", "r#type: fn(u8)", "r#type: fn(u16)", "Auth Auth.type"},
		{"a variant", "by: u8", "by: u16", "Op Op.Minus"},
		{"a mention", "use {a, b::c};", "use {a, b::login, LIMIT};", ""},
		{"a macro's call", "static LOCAL: u8 = 1", "static LIMIT: u8 = 2", ""},
		{"line ends", "\n", "\r\n", ""},
	})
	assert.Equal(t, []string{"Auth.login"}, Find("lib.rs", "Auth::login", []byte(rustFile)).Names)
	assert.False(t, Find("lib.rs", "local", []byte(rustFile)).SHA256 != "", "a local one")
	torn := Find("lib.rs", "Auth.gone", []byte(strings.Replace(rustFile, "{ 'outer:", "{{ 'outer:", 1)))
	assert.True(t, torn.Exists && torn.SHA256 == "")
}

func TestRustScript(t *testing.T) {
	facts := Scan("a.rs", []byte("#!/usr/bin/env cargo\n---cargo\n[dependencies] # { it's\n---\n\nfn main() {}\n"))
	assert.Equal(t, "6-6 function main", listed(facts))
	assert.Empty(t, facts.Partial)
}

func FuzzRust(f *testing.F) { fuzzed(f, "a.rs", rustFile) }

// The arms of std's sys/fs/mod.rs and of a crate that asks cfg_if!: each holds items as they are.
func TestRustArms(t *testing.T) {
	facts := Scan("mod.rs", []byte(`
cfg_select! {
    any(target_family = "unix", target_os = "wasi") => {
        mod unix;
        pub use unix::chown;
        pub struct Dir { fd: u8 }
    }
    target_os = "windows" => {
        mod windows;
    }
    _ => { mod unsupported; }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "os_rng")] {
        pub mod os;
    } else { mod none; }
}
other! { a => { mod never; } }
fn after() {}
`))
	assert.Empty(t, facts.Partial)
	var from []string
	for _, one := range facts.Imports {
		from = append(from, one.From)
	}
	assert.Equal(t, []string{"mod unix", "unix", "mod windows", "mod unsupported", "mod os", "mod none"}, from)
	assert.Equal(t, "6-6 class Dir +\n6-6 variable Dir.fd\n19-19 function after", listed(facts))
}
