package source

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const rubyAuth = `# frozen_string_literal: true

require "json"
require_relative 'lib/a'; require(b)
autoload :Late, "late"
=begin
class No
=end
$level, LIMIT = 1, 2
module App
  # Who may come in.
  class Auth::Token < Struct.new(:a) ; end
  class Auth < Base
    NAMES = %w[end class #{x}].freeze if true
    RULE ||= [
      1,
    ].map do |x| x end
    TEXT = <<~A + <<-'B'
      end #{"}"} class
    A
      def no
      B
    attr_accessor :name,
                  :age
    class << self
      def open(a = {}, &b) = new(a)
        .call
      private
      def hidden; end
    end

    def self.build!(end: 1) return if x
      while y do z end
      until w do
        puts a / b, "/" if c unless d
      end
      require "deep"
      x = if a then b else c end
      y = case when 1 then { class: 2 } end
      s = "#{x.map { |e| "}#{e}" }}" + %q(end (def)) + ?" + :"def#{1}".to_s
      x.class.last /x end/.match?(y) ? :end : /[\/]#{z}'/
      begin; a rescue b end while c
      def inner; x = 1; end
    end
    def ==(other) other end
    def name=(v)
      @name = v % 2
    end
    def -@; self end
    private def one() 1 end
    def two? = true
    private

    # TODO: faster
    def three
      [1].each do |i| next if i end
    end
    public
    def four; end
    private :four
  end
end
def top; end
[1].each { |x| def in_block; end }
class Auth end
A = B.new(1) { |x|
  x }
__END__
class No
`

func TestScanRuby(t *testing.T) {
	facts := Scan("auth.rb", []byte(rubyAuth))
	require.Empty(t, facts.Partial)
	assert.Equal(t, []string{
		"$level 9-9 variable+", "LIMIT 9-9 constant+", "App 10-62 module+", "App.Auth.Token 12-12 class+", "App.Auth 13-61 class+", "App.Auth.NAMES 14-14 constant+",
		"App.Auth.RULE 15-17 constant+", "App.Auth.TEXT 18-22 constant+", "App.Auth.name 23-24 variable+", "App.Auth.age 23-24 variable+", "App.Auth.open 26-27 method+",
		"App.Auth.hidden 29-29 method", "App.Auth.build! 32-44 method+", "App.Auth.== 45-45 method+", "App.Auth.name= 46-48 method+", "App.Auth.-@ 49-49 method+",
		"App.Auth.one 50-50 method", "App.Auth.two? 51-51 method+", "App.Auth.three 55-57 method", "App.Auth.four 59-59 method",
		"top 63-63 function+", "in_block 64-64 function+", "Auth 65-65 class+", "A 66-67 constant+",
	}, shownSymbols(facts))
	assert.Equal(t, []Import{
		{From: "json", Kind: ValueImport, Line: 3}, {From: "./lib/a", Kind: ValueImport, Line: 4}, {From: "late", Kind: DynamicImport, Line: 5},
		{From: "deep", Kind: DynamicImport, Line: 37},
	}, facts.Imports)
	assert.Equal(t, "Who may come in.", symbolNamed(facts, "App.Auth.Token").Doc)
	assert.Equal(t, "def open(a = {}, &b)", symbolNamed(facts, "App.Auth.open").Signature)
	require.Len(t, facts.Notes, 1)
	assert.Equal(t, "App.Auth.three", facts.Notes[0].Symbol)
}

func TestRubyText(t *testing.T) {
	for _, text := range []string{
		`'a\'end'`, `"a\"#{"}"}end"`, "%w(a (b) end)", "%[end]", "%r{a{2}/end}x", "/ end/", `x.y(/'/)`, "x / 2 # '", "x /2/ 'a'", "<<A\nend '\nA", "<<~'A B'\nend\n  A B", "f(<<~A, <<~B)\nend\nA\nend\nB", `?'`,
		":end", `:"end"`, "{ end: 1, if: 2 }", "x.end.if", `:[]`, `[:[], :/, :%, :'a']`, "x ? /a'/ : 1", "`ls \"`", `$'`, `x % "'"`, "5 % 3 # '", "<<-A.b(1)\n  'end\n  A", "%i[if end]", "x&.class", "-> { if x then y end }",
		"f do |x| if x; y end end", "f { x.undef\nend_of(1) }", "if x; 0.. end", "<<_A\nend\n_A", "\"#{f(<<~A)}\"\n end\nA", "(x unless y)", "a <<B", "[if x then y end]", "x = /a#{'/'}'/", "y {|a| if a then b end }",
	} {
		facts := Scan("a.rb", []byte("A = "+text+"\nB = 1 # c\n"))
		assert.Empty(t, facts.Partial, text)
		assert.Equal(t, []string{"A", "B"}, declaredNames(facts), text)
	}
	for _, text := range []string{`'a`, `"#{`, "(", "]", "def a", "end", "if x", "%w(", "=begin", "class", "f do", "/a"} {
		assert.Equal(t, "does not parse", Scan("a.rb", []byte("B = 1\n"+text)).Partial, text)
	}
}

func TestRubyAssignments(t *testing.T) {
	for data, want := range map[string]string{
		"A = B = 1": "A B", "A, *B = 1": "A B", "A ||= 1": "A", "A =~ x": "", "A == x": "", "a = 1": "", "$a = $b = 1": "$a $b", "A.b = 1": "", "A, b = 1": "", "x { A = 1 }": "A",
		"class A; private attr_reader :b; attr_writer(:c); end": "A A.b A.c", "def x; A = 1; end": "x", "A::B = 1": "",
	} {
		assert.Equal(t, want, strings.Join(declaredNames(Scan("a.rb", []byte(data))), " "), data)
	}
}

func TestFindInRuby(t *testing.T) {
	for _, test := range []struct{ name, old, new, changed string }{
		{"a body", "@name = v", "@name = w", "App App.Auth App.Auth.name="},
		{"a heredoc", "def no", "def yes", "App App.Auth App.Auth.TEXT"},
		{"a comment", "# TODO: faster", "# def three", ""},
		{"its doc", "Who may", "No one may", ""},
		{"line breaks", "def three\n", "def three\n\n", ""},
		{"indentation", "      [1].each", "  [1].each", ""},
		{"an import", "\"json\"", "\"yaml\"", ""},
		{"a mention", "[1].each {", "[1, App::Auth, :three, 'def top; end'].each {", ""},
		{"a neighbour", "def top; end", "def top; 1 end", "top"},
	} {
		require.Contains(t, rubyAuth, test.old, test.name)
		after := []byte(strings.Replace(rubyAuth, test.old, test.new, 1))
		var changed []string
		for _, name := range Names("a.rb", []byte(rubyAuth)) {
			part := Find("a.rb", name, after)
			require.True(t, part.Exists || !symbolName().MatchString(name), "%s %s", test.name, name)
			if part.SHA256 != Find("a.rb", name, []byte(rubyAuth)).SHA256 {
				changed = append(changed, name)
			}
		}
		assert.Equal(t, test.changed, strings.Join(changed, " "), test.name)
	}
	assert.True(t, Find("a.rb", "Auth::name=", []byte(rubyAuth)).Declaration)
}

// rubyHostile are what a file may repeat to cost more than its size.
var rubyHostile = []string{
	"(", "{", "\"#{", "'", "\"", "%w(", "%(#{", "<<A\n", "<<~A ", "<<B", "<<\"a", "/", "x /", "?", ":", ":\"", "def a\n", "def ", "class A\n", "class A::", "if x\n", "while x ", "do ", "A = ", "A, ",
	"A = 1 do\n", "def a = ", "attr_reader :a, ", "private :a, ", "end\n", "=begin\n", "__END__", "$", "@", "\xff", "\x00", ")", "}", "require 'a' ", "#", "#{", "%", "begin ", "x&.", ";", "|", "->",
}

func TestHostileRuby(t *testing.T) {
	for _, unit := range rubyHostile {
		for _, prefix := range []string{"", "x = ", "class A\n", "x = \"#{"} {
			data := []byte(prefix + strings.Repeat(unit, (32<<10)/len(unit)))
			began := time.Now()
			Scan("a.rb", data)
			assert.Less(t, time.Since(began), time.Minute, "%q %q", prefix, unit)
		}
	}
}

// Each class in a class has the names of all around it: their length is bounded.
func TestRubyOfMuchDepth(t *testing.T) {
	began := time.Now()
	assert.Equal(t, "deeper than 256 blocks", Scan("a.rb", []byte(strings.Repeat("class A\n", 64<<10))).Partial)
	assert.Less(t, time.Since(began), time.Minute)
}

func FuzzRuby(f *testing.F) {
	f.Add(rubyAuth)
	f.Add("?")
	f.Add(":")
	for _, unit := range rubyHostile {
		f.Add(unit + unit)
		f.Add("class A\n" + unit + unit)
	}
	f.Fuzz(func(t *testing.T, data string) { soundFacts(t, "a.rb", data) })
}
