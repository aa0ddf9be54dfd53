import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.*;
import javax.tools.*;

/** Reads names of files from its input, and tells what javac's parser finds in each. */
public class Java {
	public static void main(String[] args) throws Exception {
		var compiler = ToolProvider.getSystemJavaCompiler();
		var names = new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\0");
		var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
		for (var name : names) {
			var errors = new DiagnosticCollector<JavaFileObject>();
			try (var files = compiler.getStandardFileManager(errors, null, StandardCharsets.UTF_8)) {
				var task = (JavacTask) compiler.getTask(Writer.nullWriter(), files, errors, List.of("-proc:none"), null, files.getJavaFileObjects(name));
				for (var unit : task.parse()) {
					if (errors.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR)) {
						out.println(new Java(unit, Trees.instance(task).getSourcePositions()).answer(name));
					}
				}
			}
		}
		out.flush();
	}

	private final CompilationUnitTree unit;
	private final SourcePositions at;
	private final List<String> symbols = new ArrayList<>();

	private Java(CompilationUnitTree unit, SourcePositions at) {
		this.unit = unit;
		this.at = at;
	}

	private String answer(String name) {
		unit.getTypeDecls().forEach(t -> { if (t instanceof ClassTree c) type("", c); });
		var imports = unit.getImports().stream().map(i -> from(i)).distinct().map(Java::quoted).collect(Collectors.joining(","));
		return "{\"path\":" + quoted(name) + ",\"symbols\":[" + String.join(",", symbols) + "],\"imports\":[" + imports + "]}";
	}

	/** The class or package, without the static member or the star after it. */
	private static String from(ImportTree i) {
		var all = i.getQualifiedIdentifier().toString();
		return i.isStatic() || all.endsWith(".*") ? all.substring(0, all.lastIndexOf('.')) : all;
	}

	private void type(String owner, ClassTree c) {
		add(owner, c.getSimpleName().toString(), c);
		var inner = owner + c.getSimpleName() + ".";
		for (var member : c.getMembers()) {
			if (member instanceof ClassTree t) {
				type(inner, t);
			} else if (member instanceof MethodTree m) {
				add(inner, m.getName().contentEquals("<init>") ? c.getSimpleName().toString() : m.getName().toString(), m);
			} else if (member instanceof VariableTree v) {
				add(inner, v.getName().toString(), v);
			}
		}
	}

	private void add(String owner, String name, Tree t) {
		symbols.add("{\"name\":" + quoted(owner + name) + ",\"from\":" + line(at.getStartPosition(unit, t))
			+ ",\"to\":" + line(at.getEndPosition(unit, t) - 1) + "}");
	}

	private long line(long position) {
		return unit.getLineMap().getLineNumber(position);
	}

	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}
}
