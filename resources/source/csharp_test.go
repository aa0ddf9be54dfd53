package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const csharpFile = `using System;
using static System.Math;
global using Text = System.Text.StringBuilder;
namespace Example.Auth
{
	/// <summary>Says who may enter.</summary>
	[Serializable, Obsolete("{")]
	public sealed partial class Auth<T> : Base<List<T>>, IDisposable where T : class, new()
	{
		public const int Limit = 3, Burst = 4;
		private readonly Dictionary<string, List<int[]>> all = new Dictionary<string, List<int[]>>(), other;
		bool less = 1 < 2;
		string text = $@"{all["}"]} "" { $"{{ {less:x}" } \";
		string raw = $$"""" a "quoted" """ {{{ 1 }}} { """";
		char c = '"';

		public event EventHandler<int> Changed;
		public event EventHandler Gone { add { } remove { } }

		public string Name { get; private set; } = "a";
		public int Count => all.Count;
		public (int a, T[] b)? Pair { get; }
		public int this[int i] { get => i; set { } }

		static Auth() { }
		public Auth(int n) : base(n) { }
		~Auth() => Dispose();

		// TODO: #3 retry
		[Test(typeof(int[]))]
		public async Task<T> Login<R>([In] string who, params int[] codes) where R : struct
		{
			int Local() { return 1; }
#if DEBUG
			if (who == null) {
#else
			if (who != null) {
#endif
			return await $"{who}";
			}
		}
		void IDisposable.Dispose() { }
		public static bool operator ==(Auth<T> a, Auth<T> b) => a.Equals(b);
		public static implicit operator int(Auth<T> a) { return 1; }
		internal unsafe fixed byte buffer[16];
		public int @class;

		public interface IListener { void On(); int X { get; } private void In() { } }
	}

	#region not { balanced
	public record struct Point<T>(T X, [Y] int Y = 1) : IShape;
	record Line { public int Length; }
	enum Op : byte { [A] Plus = 1, Minus }
	public delegate Task<T> Handler<in T>(T item);
	#endregion
}
Console.WriteLine("top");
`

func TestCSharp(t *testing.T) {
	facts := Scan("Auth.cs", []byte(csharpFile))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, "Example.Auth", facts.Package)
	assert.Equal(t, []Import{
		{"System", ValueImport, []string{"*"}, 1}, {"System.Math", ValueImport, []string{"*"}, 2}, {"System.Text.StringBuilder", ValueImport, nil, 3},
	}, facts.Imports)
	assert.Equal(t, strings.TrimSpace(`
7-49 class Auth +
10-10 constant Auth.Limit +
10-10 constant Auth.Burst +
11-11 constant Auth.all
11-11 constant Auth.other
12-12 variable Auth.less
13-13 variable Auth.text
14-14 variable Auth.raw
15-15 variable Auth.c
17-17 variable Auth.Changed +
18-18 variable Auth.Gone +
20-20 variable Auth.Name +
21-21 variable Auth.Count +
22-22 variable Auth.Pair +
23-23 variable Auth.this +
25-25 method Auth.Auth
26-26 method Auth.Auth +
27-27 method Auth.~Auth
30-41 method Auth.Login +
42-42 method Auth.Dispose
43-43 method Auth.operator +
44-44 method Auth.operator +
45-45 variable Auth.buffer
46-46 variable Auth.class +
48-48 interface Auth.IListener +
48-48 method Auth.IListener.On +
48-48 variable Auth.IListener.X +
48-48 method Auth.IListener.In
52-52 class Point +
52-52 constant Point.X +
52-52 constant Point.Y +
53-53 class Line
53-53 variable Line.Length +
54-54 enum Op
54-54 constant Op.Plus +
54-54 constant Op.Minus +
55-55 type Handler +`), listed(facts))
	assert.Equal(t, `[Test(typeof(int[]))] public async Task<T> Login<R>([In] string who, params int[] codes) where R : struct`, symbol(t, facts, "Auth.Login").Signature)
}

func TestFindCSharp(t *testing.T) {
	noticed(t, "Auth.cs", csharpFile, []changeOf{
		{"a body", `await $"{who}"`, `await $"{whom}"`, "Auth Auth.Login"},
		{"a comment in it", "int Local()", "/* } Limit */ int Local()", ""},
		{"its doc", "Says who", "Tells who", ""},
		{"its form", "Auth(int n) : base(n) { }", "Auth(int n)\n:\nbase(n)\n{\n}", ""},
		{"a neighbour in the declaration", "Burst = 4", "Burst = 5", "Auth Auth.Burst"},
		{"a region", "not { balanced", "Limit", ""},
		{"line ends", "\n", "\r\n", ""},
	})
	assert.Equal(t, []string{"Auth.Login"}, Find("Auth.cs", "Login", []byte(csharpFile)).Names)
	torn := Find("Auth.cs", "Auth.gone", []byte(strings.Replace(csharpFile, "enum Op : byte {", "enum Op : byte {{", 1)))
	assert.True(t, torn.Exists && torn.SHA256 == "")
}

func FuzzCSharp(f *testing.F) { fuzzed(f, "a.cs", csharpFile) }
