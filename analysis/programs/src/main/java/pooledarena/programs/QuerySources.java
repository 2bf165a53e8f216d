/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

import module java.base;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A server under load that does native work for each request: Tomcat reads a page of lines from SQLite, each line with a query
 * of its own, for clients that ask as fast as they are answered.
 */
final class QuerySources {

    private static final int CLIENTS = 32;
    private static final int REQUESTS = 2_000;
    private static final int CONNECTIONS = 8;
    private static final int PAGE = 20;
    private static final String QUERY = "select text from line where file = ? and number = ?";

    private final BlockingQueue<Sqlite> connections = new ArrayBlockingQueue<>(CONNECTIONS);

    /** @param args the JDK's {@code src.zip}, a directory for the database, {@code platform} or {@code virtual} */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[1]);
        List<String> names = store(SourceFile.of(args[0]), directory.resolve("lines.db"));
        QuerySources service = new QuerySources();
        for (int i = 0; i < CONNECTIONS; i++) {
            service.connections.add(new Sqlite(directory.resolve("lines.db")));
        }
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setThrowOnFailure(true);
        connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("useVirtualThreads", String.valueOf(args[2].equals("virtual")));
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toAbsolutePath().toString());
        Tomcat.addServlet(context, "lines", service.servlet());
        context.addServletMappingDecoded("/*", "lines");
        tomcat.start();
        long bytes = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Callable<Long>> clients = IntStream.range(0, CLIENTS).<Callable<Long>>mapToObj(
                    i -> () -> ask(connector.getLocalPort(), names, i)).toList();
            for (Future<Long> client : threads.invokeAll(clients)) {
                bytes += client.get();
            }
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
        service.connections.forEach(Sqlite::close);
        System.out.println(CLIENTS * REQUESTS + " requests, " + bytes + " bytes");
    }

    /** {@return the names of the files that have a page of lines, which are stored} */
    private static List<String> store(List<SourceFile> files, Path file) {
        List<String> names = new ArrayList<>();
        try (Sqlite db = new Sqlite(file)) {
            db.execute("create table line (file text, number integer, text text, primary key (file, number)) without rowid");
            db.execute("begin");
            try (Sqlite.Statement insert = db.prepare("insert into line values (?, ?, ?)")) {
                for (SourceFile source : files) {
                    List<String> lines = source.text().lines().limit(PAGE).toList();
                    if (lines.size() == PAGE) {
                        names.add(source.name());
                        for (int i = 0; i < PAGE; i++) {
                            insert.set(1, source.name()).set(2, i).set(3, lines.get(i)).next();
                        }
                    }
                }
            }
            db.execute("commit");
        }
        return names;
    }

    private HttpServlet servlet() {
        return new HttpServlet() {
            private static final long serialVersionUID = 1;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                byte[] page = page(request.getPathInfo().substring(1));
                response.setContentLength(page.length);
                response.getOutputStream().write(page);
            }
        };
    }

    private byte[] page(String file) {
        StringBuilder page = new StringBuilder();
        Sqlite db;
        try {
            db = connections.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        try (Sqlite.Statement query = db.prepare(QUERY)) {
            for (int i = 0; i < PAGE; i++) {
                query.set(1, file).set(2, i);
                while (query.next()) {
                    page.append(new String(query.text(0), UTF_8)).append('\n');
                }
            }
        } finally {
            connections.add(db);
        }
        return page.toString().getBytes(UTF_8);
    }

    /** {@return how many bytes came for requests on one connection} */
    private static long ask(int port, List<String> names, int client) throws IOException {
        long bytes = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < REQUESTS; i++) {
                String name = names.get((client * REQUESTS + i) % names.size());
                socket.getOutputStream().write(("GET /" + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(ISO_8859_1));
                int length = length(in);
                in.skipNBytes(length);
                bytes += length;
            }
        }
        return bytes;
    }

    /** Reads the head of a response, and {@return how many bytes follow} */
    private static int length(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException(head.toString());
            }
            head.append((char) next);
        }
        int length = head.indexOf("Content-Length: ");
        if (head.indexOf("HTTP/1.1 200 ") != 0 || length < 0) {
            throw new IOException(head.toString());
        }
        return Integer.parseInt(head.substring(length + "Content-Length: ".length(), head.indexOf("\r\n", length)));
    }
}
