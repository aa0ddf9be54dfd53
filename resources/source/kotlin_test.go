package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const kotlinFile = `@file:Suppress("a")
package example.auth

import java.util.List
import example.base.*
import example.limit.` + "`in`" + ` as inside

const val LIMIT = 3
typealias Who = (String) -> Map<String, List<Int>>

/** Says who may enter. */
@Service("{")
internal abstract class Auth<T : Any> @Inject constructor(
  private val all: Map<String, List<T>> = mapOf("a" to 1),
  count: Int,
  var open: Boolean,
) : Base<T>(count, { it > 1 }), Closeable
  where T : Comparable<T> {
  val text = "${all["}"]} \" {" + """a "quoted" ${"$count }"} { """ + $$"""${ " """
  val flags = ONE or
    TWO
  val less = 1 < 2
  val size: Int
    get() = all.size
  var rate by lazy { 3 }
    private set
  lateinit var other: String; var last = 4
  init { check(count > 0) }

  constructor(n: Int) : this(mapOf(), n, true) { other = "b" }

  // TODO: #3 retry
  @Throws(Exception::class)
  override suspend fun <R> List<R>.login(who: Who = { _ -> mapOf() }, vararg codes: Int): R? where R : Any {
    val local = 1
    fun inner() = local
    return null
  }

  fun find(name: String): T? =
    all[name]
      ?.firstOrNull()
      ?: if (open)
        null
      else
        object : Finder<T>(), Closeable {
          fun found() = 1
        }.one

  companion object {
    fun of() = 1 shl LIMIT
    private val Int.half get() = this / 2
    fun <T> odd(): T where T : A, T : B =
      @Suppress("x")
      half()
  }
  sealed interface Event { data object On : Event; class Off(val at: Int) : Event }
}

enum class Op(val sign: Char) : Who { PLUS('+') { fun x() {} }, @Old MINUS('}'); fun apply() = 1 }
fun interface Handler { fun on() }
object Registry
class Delegates(a: Who) : Who by a
var String?.shown: Boolean
  get() { return true }
  set(value) {}
fun ` + "`says who`" + `() { }
`

func TestKotlin(t *testing.T) {
	facts := Scan("Auth.kt", []byte(kotlinFile))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, "example.auth", facts.Package)
	assert.Equal(t, []Import{
		{From: "java.util.List", Kind: ValueImport, Line: 4},
		{From: "example.base", Kind: ValueImport, Names: []string{"*"}, Line: 5},
		{From: "example.limit.in", Kind: ValueImport, Line: 6},
	}, facts.Imports)
	assert.Equal(t, strings.TrimSpace(`
8-8 constant LIMIT +
9-9 type Who +
12-58 class Auth
14-14 constant Auth.all
16-16 variable Auth.open +
19-19 constant Auth.text +
20-21 constant Auth.flags +
22-22 constant Auth.less +
23-24 constant Auth.size +
25-26 variable Auth.rate +
27-27 variable Auth.other +
27-27 variable Auth.last +
30-30 method Auth.constructor +
33-38 method Auth.login +
40-48 method Auth.find +
50-56 class Auth.Companion +
51-51 method Auth.Companion.of +
52-52 constant Auth.Companion.half
53-55 method Auth.Companion.odd +
57-57 interface Auth.Event +
57-57 class Auth.Event.On +
57-57 class Auth.Event.Off +
57-57 constant Auth.Event.Off.at +
60-60 enum Op +
60-60 constant Op.sign +
60-60 constant Op.PLUS +
60-60 constant Op.MINUS +
60-60 method Op.apply +
61-61 interface Handler +
61-61 method Handler.on +
62-62 class Registry +
63-63 class Delegates +
64-66 variable shown +
67-67 function says who +`), listed(facts))
	assert.Equal(t, "@Throws(Exception::class) override suspend fun <R> List<R>.login(who: Who = { _ -> mapOf() }, vararg codes: Int): R? where R : Any",
		symbol(t, facts, "Auth.login").Signature)
	assert.Equal(t, "Auth.login", facts.Notes[0].Symbol)
}

func TestFindKotlin(t *testing.T) {
	noticed(t, "Auth.kt", kotlinFile, []changeOf{
		{"a body", "return null", "return local", "Auth Auth.login"},
		{"a comment in it", "val local = 1", "val local = 1 // } Limit", ""},
		{"its doc", "Says who may", "Tells who may", ""},
		{"its form", "fun of() = 1 shl LIMIT", "fun of()\n      = 1 shl\n      LIMIT", ""},
		{"a neighbour", "class Delegates(a: Who)", "class Delegates(a: What)", "Delegates"},
		{"an accessor", "= all.size", "= all.length", "Auth Auth.size"},
		{"a text", "$count }", "$counts }", "Auth Auth.text"},
		{"line ends", "\n", "\r\n", ""},
	})
	assert.Equal(t, []string{"Auth.login"}, Find("Auth.kt", "login", []byte(kotlinFile)).Names)
	torn := Find("Auth.kt", "Auth.gone", []byte(strings.Replace(kotlinFile, "companion object {", "companion object {{", 1)))
	assert.True(t, torn.Exists && torn.SHA256 == "")
}

func FuzzKotlin(f *testing.F) { fuzzed(f, "a.kt", kotlinFile) }
