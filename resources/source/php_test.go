package source

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const phpAuth = `<?PHP declare(strict_types=1);
namespace App\Auth;

use App\{Mail, Log as L, function App\f};
use \Psr\Clock as Time, Iterator; // one ?>
<p>function no() {}</p>
<?php
require_once __DIR__ . '/../lib.php'; include 'conf.php'; require $x;
const LIMIT = 3, MORE = 4;
define('OLD', [1, 2]);
$config = function () use ($x) { function no() {} return require 'late.php'; };
if (!function_exists('compat')) {
    function &compat(array $a = ['{']): ?array { include "in.php"; return $a; }
}

/** Who may come in. */
#[Attribute(Attribute::TARGET_CLASS)]
final readonly class Auth extends Base implements A, B
{
    use Magic, Other { Magic::a as private b; }
    public const string NAME = 'a', LONG = "b";
    private ?Mail $mail = null, $other;
    #[ORM\Column]
    protected static array|int $x = [1, 2];
    public private(set) string $hooked = 'a' { get => 1; set { $y = 2; } }

    public function __construct(
        private readonly Mail $sent,
        #[Sensitive] protected ?string $key = null,
        int $plain = 3,
    ) {
        $this->class = new class($x) extends Foo { public function no() {} };
    }

    // TODO: speed
    abstract protected function login(string $a): static;
    function text() { return "{$a["}"]} \" ${b['}']} $c" . <<<"EOT"
      {$a["EOT"]} } function no() {
      EOT . <<<'NOW'
      x
    NOW; # }
    }
}
enum Suit: string { case Hearts = 'h'; const Wild = self::Hearts; }
interface Has { public function it(): void; }
trait Can { public $now; }
new class { function no() {} };
echo Auth::class; $enum = enum::class;
?>
function no() {}
`

func TestScanPHP(t *testing.T) {
	facts := Scan("auth.php", []byte(phpAuth))
	require.Empty(t, facts.Partial)
	assert.Equal(t, `App\Auth`, facts.Package)
	assert.Equal(t, []string{
		"LIMIT 9-9 constant+", "MORE 9-9 constant+", "OLD 10-10 constant+", "$config 11-11 variable+", "compat 13-13 function+", "Auth 17-43 class+",
		"Auth.NAME 21-21 constant+", "Auth.LONG 21-21 constant+", "Auth.$mail 22-22 variable", "Auth.$other 22-22 variable", "Auth.$x 23-24 variable",
		"Auth.$hooked 25-25 variable+", "Auth.__construct 27-33 method+", "Auth.$sent 28-28 variable", "Auth.$key 29-29 variable", "Auth.login 36-36 method",
		"Auth.text 37-42 method+", "Suit 44-44 enum+", "Suit.Hearts 44-44 constant+", "Suit.Wild 44-44 constant+", "Has 45-45 interface+", "Has.it 45-45 method+",
		"Can 46-46 interface+", "Can.$now 46-46 variable+", "$enum 48-48 variable+",
	}, shownSymbols(facts))
	assert.Equal(t, []Import{
		{From: `App\Mail`, Kind: ValueImport, Line: 4}, {From: `App\Log`, Kind: ValueImport, Line: 4}, {From: `App\App\f`, Kind: ValueImport, Line: 4},
		{From: `Psr\Clock`, Kind: ValueImport, Line: 5}, {From: "Iterator", Kind: ValueImport, Line: 5},
		{From: "./../lib.php", Kind: ValueImport, Line: 8}, {From: "conf.php", Kind: ValueImport, Line: 8},
		{From: "late.php", Kind: ValueImport, Line: 11}, {From: "in.php", Kind: DynamicImport, Line: 13},
	}, facts.Imports)
	auth := symbolNamed(facts, "Auth")
	assert.Equal(t, "Who may come in.", auth.Doc)
	assert.Equal(t, "#[Attribute(Attribute::TARGET_CLASS)] final readonly class Auth extends Base implements A, B", auth.Signature)
	require.Len(t, facts.Notes, 1)
	assert.Equal(t, "Auth.login", facts.Notes[0].Symbol)
}

func TestPHPText(t *testing.T) {
	for _, text := range []string{
		`'a\'b'`, `"a\"b"`, `"{$a["b"]["{$c}"]}"`, `"${a['}']}"`, "`ls {$a[\"b\"]}`", "<<<A\nB\nA", "<<<'A'\n AB\n {$a[\n  A", "<<<\"A\"\nA", "\"a\nb\"", `"{ $a }"`, `"$a["`, `1 // ' ?`, `1 /* ' */`, `"{$a->b(function() { return "x}"; })}"`, "<<<A\r\nb\r\nA", `2 # "`, `"\\"`,
		`"{$a['"']}"`, `$b << 2`, "__DIR__ ?> ' <?php ", "__DIR__ // ?> ' <?= ",
	} {
		facts := Scan("a.php", []byte("<?php\n$a = "+text+"\n;const B = 1;"))
		assert.Empty(t, facts.Partial, text)
		assert.Equal(t, []string{"$a", "B"}, declaredNames(facts), text)
	}
	for _, text := range []string{`'a`, `"a`, `"{$a`, "<<<A\nB", "`", "/*", "(", "}", `"{$a["}"`} {
		assert.Equal(t, "does not parse", Scan("a.php", []byte("<?php\n$b = 1; $a = "+text)).Partial, text)
	}
	assert.Empty(t, Scan("a.php", []byte("function a() {}")).Symbols, "no island")
	assert.Empty(t, Scan("a.php", []byte("<?xml function a() {}")).Symbols, "no island")
	assert.Equal(t, []string{"a"}, declaredNames(Scan("a.php", []byte("<?php function a() {}\n__halt_compiler(); function b() {"))))
	assert.Empty(t, Scan("a.php", nil).Partial)
}

func TestFindInPHP(t *testing.T) {
	for _, test := range []struct{ name, old, new, changed string }{
		{"a body", "return $a; }", "return $b; }", "compat"},
		{"an attribute", "TARGET_CLASS", "TARGET_ALL", "Auth"},
		{"a text", `["EOT"]`, `["EOT2"]`, "Auth Auth.text"},
		{"a property", "[1, 2];\n    public", "[1, 3];\n    public", "Auth Auth.$x"},
		{"a parameter", "$key = null", "$key = 1", "Auth Auth.__construct Auth.$key"},
		{"a comment", "// TODO: speed", "/* Auth */", ""},
		{"its doc", "Who may", "No one may", ""},
		{"line breaks", "case Hearts = 'h';", "case\n Hearts\n = 'h';", ""},
		{"an import", "use \\Psr", "use \\Other\\Psr", ""},
		{"a mention", "echo Auth::class;", "echo Auth::class, compat(), 'LIMIT';", ""},
		{"text around it", "<p>function", "<p>class Suit {} function", ""},
	} {
		require.Contains(t, phpAuth, test.old, test.name)
		after := []byte(strings.Replace(phpAuth, test.old, test.new, 1))
		var changed []string
		for _, name := range Names("a.php", []byte(phpAuth)) {
			part := Find("a.php", name, after)
			require.True(t, part.Exists && !part.Mentioned, "%s %s", test.name, name)
			if part.SHA256 != Find("a.php", name, []byte(phpAuth)).SHA256 {
				changed = append(changed, name)
			}
		}
		assert.Equal(t, test.changed, strings.Join(changed, " "), test.name)
	}
	assert.True(t, Find("a.php", "Auth::$mail", []byte(phpAuth)).Declaration)
}

// phpHostile are what a file may repeat to cost more than its size.
var phpHostile = []string{
	"(", "{", "#[", "#[A] ", "\"{$a[", "\"", "`", "<<<A\n", "<<<'A'\nB", "?>", "?><?php ", "//?>", "class A {", "class A ", "function ", "function a(", "function __construct(private $a, ", "public $a, ", "$a, ",
	"const A = ", "A = 1, ", "use A\\{", "use A, ", "namespace ", "enum A{case ", "$a = ", "require ", "static ", "private(set) ", "define('a', ", "\\", "$", "__halt_compiler", "\xff", "\x00", ")", "}", "new class ",
}

func TestHostilePHP(t *testing.T) {
	for _, unit := range phpHostile {
		for _, prefix := range []string{"", "<?php ", "<?php class A { ", "<?php $a = \"{$b"} {
			data := []byte(prefix + strings.Repeat(unit, (32<<10)/len(unit)))
			began := time.Now()
			Scan("a.php", data)
			assert.Less(t, time.Since(began), 2*time.Second, "%q %q", prefix, unit)
		}
	}
}

func FuzzPHP(f *testing.F) {
	f.Add(phpAuth)
	for _, unit := range phpHostile {
		f.Add("<?php " + unit + unit)
		f.Add("<?php class A { " + unit + unit)
	}
	f.Fuzz(func(t *testing.T, data string) { soundFacts(t, "a.php", data) })
}
