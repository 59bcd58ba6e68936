// SPDX-License-Identifier: MIT
//
// GTK 4 for Swift: what are macros or take any number of arguments there are functions here, and all widgets are
// `GtkWidget *`. A handler of a signal is taken in the exact shape that its kind of signal has, and connecting one
// looks whether the signal is of that kind. No logic.
#pragma once
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <gtksourceview/gtksource.h>

// MARK: Signals

/// Connects `handler`, unless the signal has other parameters than the handler; `release` frees `box`.
static inline gulong write_connect(gpointer object, const char *signal, guint parameters, GType result,
                                   GCallback handler, gpointer box, GClosureNotify release) {
  GSignalQuery query = {0};
  guint id = 0;
  GQuark detail = 0;
  if (g_signal_parse_name(signal, G_OBJECT_TYPE(object), &id, &detail, TRUE)) g_signal_query(id, &query);
  if (query.signal_id == 0 || query.n_params != parameters || query.return_type != result) {
    g_critical("%s has no signal %s of this kind", G_OBJECT_TYPE_NAME(object), signal);
    return 0;
  }
  return g_signal_connect_data(object, signal, handler, box, release, (GConnectFlags)0);
}

static inline gulong write_on_plain(gpointer object, const char *signal, void (*handler)(gpointer, gpointer),
                                    gpointer box, GClosureNotify release) {
  return write_connect(object, signal, 0, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_notify(gpointer object, const char *signal,
                                     void (*handler)(gpointer, GParamSpec *, gpointer), gpointer box,
                                     GClosureNotify release) {
  return write_connect(object, signal, 1, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_change(GSettings *settings, const char *signal,
                                     void (*handler)(gpointer, char *, gpointer), gpointer box,
                                     GClosureNotify release) {
  return write_connect(settings, signal, 1, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_activate(GSimpleAction *action, void (*handler)(GSimpleAction *, GVariant *, gpointer),
                                       gpointer box, GClosureNotify release) {
  return write_connect(action, "activate", 1, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_close(GtkWidget *window, gboolean (*handler)(GtkWindow *, gpointer), gpointer box,
                                    GClosureNotify release) {
  return write_connect(window, "close-request", 0, G_TYPE_BOOLEAN, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_response(gpointer dialog, void (*handler)(gpointer, int, gpointer), gpointer box,
                                       GClosureNotify release) {
  return write_connect(dialog, "response", 1, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_open(GtkApplication *application,
                                   void (*handler)(GApplication *, GFile **, int, char *, gpointer), gpointer box,
                                   GClosureNotify release) {
  return write_connect(application, "open", 3, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_insert(GtkTextBuffer *buffer,
                                     void (*handler)(GtkTextBuffer *, GtkTextIter *, char *, int, gpointer),
                                     gpointer box, GClosureNotify release) {
  return write_connect(buffer, "insert-text", 3, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_delete(GtkTextBuffer *buffer,
                                     void (*handler)(GtkTextBuffer *, GtkTextIter *, GtkTextIter *, gpointer),
                                     gpointer box, GClosureNotify release) {
  return write_connect(buffer, "delete-range", 2, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline gulong write_on_mark(GtkTextBuffer *buffer,
                                   void (*handler)(GtkTextBuffer *, const GtkTextIter *, GtkTextMark *, gpointer),
                                   gpointer box, GClosureNotify release) {
  return write_connect(buffer, "mark-set", 2, G_TYPE_NONE, G_CALLBACK(handler), box, release);
}

static inline void write_stop(gpointer object, const char *signal) { g_signal_stop_emission_by_name(object, signal); }

// MARK: Application

static inline GtkApplication *write_application_new(const char *name) {
  return gtk_application_new(name, G_APPLICATION_HANDLES_OPEN);
}
static inline int write_application_run(GtkApplication *application, int count, char **arguments) {
  return g_application_run(G_APPLICATION(application), count, arguments);
}
static inline void write_application_describe(GtkApplication *application, const char *arguments, const char *summary) {
  g_application_set_option_context_parameter_string(G_APPLICATION(application), arguments);
  g_application_set_option_context_summary(G_APPLICATION(application), summary);
}
static inline void write_application_quit(GtkApplication *application) { g_application_quit(G_APPLICATION(application)); }
static inline void write_application_hold(GtkApplication *application) { g_application_hold(G_APPLICATION(application)); }
static inline void write_application_release(GtkApplication *application) {
  g_application_release(G_APPLICATION(application));
}
static inline void write_set_keys(GtkApplication *application, const char *action, const char *key, const char *other) {
  const char *keys[] = {key, other, NULL};
  gtk_application_set_accels_for_action(application, action, keys);
}
/// Adds to an application or an application window; the map keeps it.
static inline GSimpleAction *write_action_new(gpointer map, const char *name, gboolean takes_text) {
  GSimpleAction *action = g_simple_action_new(name, takes_text ? G_VARIANT_TYPE_STRING : NULL);
  g_action_map_add_action(G_ACTION_MAP(map), G_ACTION(action));
  g_object_unref(action);
  return action;
}
static inline char *write_file_uri(GFile *file) { return g_file_get_uri(file); }

// MARK: Windows

static inline GtkWidget *write_window_new(GtkApplication *application, int width, int height) {
  GtkWidget *window = gtk_application_window_new(application);
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  gtk_window_set_icon_name(GTK_WINDOW(window), "org.continuo.write");
  return window;
}
static inline void write_window_set_title(GtkWidget *window, const char *title) {
  gtk_window_set_title(GTK_WINDOW(window), title);
}
static inline void write_window_set_titlebar(GtkWidget *window, GtkWidget *bar) {
  gtk_window_set_titlebar(GTK_WINDOW(window), bar);
}
static inline void write_window_set_child(GtkWidget *window, GtkWidget *child) {
  gtk_window_set_child(GTK_WINDOW(window), child);
}
/// Tells of each frame of a window that is shown.
static inline GdkFrameClock *write_window_clock(GtkWidget *window) { return gtk_widget_get_frame_clock(window); }
static inline void write_window_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }
static inline void write_window_destroy(GtkWidget *window) { gtk_window_destroy(GTK_WINDOW(window)); }
static inline gboolean write_window_is_active(GtkWidget *window) { return gtk_window_is_active(GTK_WINDOW(window)); }
static inline GtkWidget *write_window_get_focus(GtkWidget *window) { return gtk_window_get_focus(GTK_WINDOW(window)); }

// MARK: Boxes, buttons and labels

static inline GtkWidget *write_box_new(gboolean is_vertical, int spacing) {
  return gtk_box_new(is_vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, spacing);
}
/// A box whose content a screen reader reads when it changes.
static inline GtkWidget *write_status_box_new(int spacing) {
  return g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_HORIZONTAL, "spacing", spacing, "accessible-role",
                      GTK_ACCESSIBLE_ROLE_STATUS, NULL);
}
static inline void write_box_append(GtkWidget *box, GtkWidget *child) { gtk_box_append(GTK_BOX(box), child); }
static inline void write_box_insert(GtkWidget *box, GtkWidget *child, GtkWidget *after) {
  gtk_box_insert_child_after(GTK_BOX(box), child, after);
}
static inline void write_box_remove(GtkWidget *box, GtkWidget *child) { gtk_box_remove(GTK_BOX(box), child); }
/// Every child of it is as wide as the widest.
static inline GtkWidget *write_even_box_new(int spacing) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, spacing);
  gtk_box_set_homogeneous(GTK_BOX(box), TRUE);
  return box;
}
static inline void write_box_clear(GtkWidget *box) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(box)) != NULL) gtk_box_remove(GTK_BOX(box), child);
}
static inline void write_set_margins(GtkWidget *widget, int sides, int ends) {
  gtk_widget_set_margin_start(widget, sides);
  gtk_widget_set_margin_end(widget, sides);
  gtk_widget_set_margin_top(widget, ends);
  gtk_widget_set_margin_bottom(widget, ends);
}
static inline GtkWidget *write_label_new(void) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  return label;
}
static inline void write_label_set_text(GtkWidget *label, const char *text) { gtk_label_set_text(GTK_LABEL(label), text); }
static inline void write_label_set_one_line(GtkWidget *label) {
  gtk_label_set_wrap(GTK_LABEL(label), FALSE);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
}
/// A line of text whose size is its place's: another text moves nothing in the window.
static inline GtkWidget *write_line_new(void) {
  GtkWidget *line = gtk_inscription_new(NULL);
  gtk_inscription_set_xalign(GTK_INSCRIPTION(line), 0);
  gtk_inscription_set_text_overflow(GTK_INSCRIPTION(line), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  return line;
}
static inline void write_line_set_text(GtkWidget *line, const char *text) {
  gtk_inscription_set_text(GTK_INSCRIPTION(line), text);
}
/// A screen reader reads its label; GTK 4.8 would have it read the underscore, too.
static inline GtkWidget *write_button_new(const char *label) {
  GtkWidget *button = gtk_button_new_with_mnemonic(label);
  gtk_accessible_reset_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL);
  return button;
}
static inline void write_button_set_label(GtkWidget *button, const char *label) {
  gtk_button_set_label(GTK_BUTTON(button), label);
  gtk_accessible_reset_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL);
}
static inline void write_button_set_action(GtkWidget *button, const char *action) {
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
}
static inline GtkWidget *write_menu_button_new(const char *label, GMenu *menu) {
  GtkWidget *button = gtk_menu_button_new();
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), label);
  gtk_menu_button_set_use_underline(GTK_MENU_BUTTON(button), TRUE);
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
  gtk_menu_button_set_primary(GTK_MENU_BUTTON(button), TRUE);
  return button;
}
static inline void write_menu_append_section(GMenu *menu, GMenu *section) {
  g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
}
static inline void write_menu_append_submenu(GMenu *menu, const char *label, GMenu *submenu) {
  g_menu_append_submenu(menu, label, G_MENU_MODEL(submenu));
}
static inline void write_menu_append_text(GMenu *menu, const char *label, const char *action, const char *text) {
  GMenuItem *item = g_menu_item_new(label, NULL);
  g_menu_item_set_action_and_target(item, action, "s", text);
  g_menu_append_item(menu, item);
  g_object_unref(item);
}
static inline GtkWidget *write_header_bar_new(void) { return gtk_header_bar_new(); }
static inline void write_header_bar_pack(GtkWidget *bar, GtkWidget *child, gboolean at_end) {
  if (at_end) gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), child);
  else gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), child);
}
static inline GtkWidget *write_revealer_new(GtkWidget *child) {
  GtkWidget *revealer = gtk_revealer_new();
  gtk_revealer_set_child(GTK_REVEALER(revealer), child);
  return revealer;
}
static inline void write_revealer_reveal(GtkWidget *revealer, gboolean is_shown) {
  gtk_revealer_set_reveal_child(GTK_REVEALER(revealer), is_shown);
  gtk_widget_set_visible(revealer, is_shown);
}
static inline GtkWidget *write_progress_new(void) { return gtk_progress_bar_new(); }
static inline void write_progress_set(GtkWidget *bar, double share) {
  gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(bar), share);
}
static inline GtkWidget *write_spinner_new(void) { return gtk_spinner_new(); }
static inline void write_spinner_spin(GtkWidget *spinner, gboolean is_spinning) {
  gtk_spinner_set_spinning(GTK_SPINNER(spinner), is_spinning);
}
static inline void write_set_accessible_name(GtkWidget *widget, const char *name) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

// MARK: Text

static inline GtkWidget *write_view_new(void) {
  GtkWidget *view = gtk_source_view_new();
  gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
  gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), 8);
  gtk_text_view_set_right_margin(GTK_TEXT_VIEW(view), 8);
  gtk_source_view_set_show_line_numbers(GTK_SOURCE_VIEW(view), TRUE);
  gtk_text_buffer_set_enable_undo(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), FALSE);
  return view;
}
/// A buffer as that of a new view, which no view shows.
static inline GtkTextBuffer *write_buffer_new(void) {
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER(gtk_source_buffer_new(NULL));
  gtk_text_buffer_set_enable_undo(buffer, FALSE);
  return buffer;
}
static inline GtkWidget *write_scrolled_new(GtkWidget *child) {
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), child);
  gtk_widget_set_vexpand(scrolled, TRUE);
  return scrolled;
}
static inline GtkAdjustment *write_scrolled_adjustment(GtkWidget *scrolled) {
  return gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled));
}
static inline GtkTextBuffer *write_view_buffer(GtkWidget *view) { return gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)); }
static inline void write_view_set_buffer(GtkWidget *view, GtkTextBuffer *buffer) {
  gtk_text_view_set_buffer(GTK_TEXT_VIEW(view), buffer);
}
static inline void write_view_set_editable(GtkWidget *view, gboolean is_editable) {
  gtk_text_view_set_editable(GTK_TEXT_VIEW(view), is_editable);
}
/// Highlights what is written in the language of files of that name.
static inline void write_view_set_language(GtkWidget *view, const char *name) {
  GtkSourceLanguage *language = gtk_source_language_manager_guess_language(
      gtk_source_language_manager_get_default(), name, NULL);
  gtk_source_buffer_set_language(GTK_SOURCE_BUFFER(write_view_buffer(view)), language);
}
/// Words and brackets of a language have no color of their own.
static inline void write_view_set_plain(GtkWidget *view) {
  GtkSourceBuffer *buffer = GTK_SOURCE_BUFFER(write_view_buffer(view));
  gtk_source_buffer_set_highlight_syntax(buffer, FALSE);
  gtk_source_buffer_set_highlight_matching_brackets(buffer, FALSE);
}
static inline void write_view_set_scheme(GtkWidget *view, const char *name) {
  GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme(
      gtk_source_style_scheme_manager_get_default(), name);
  if (scheme != NULL) gtk_source_buffer_set_style_scheme(GTK_SOURCE_BUFFER(write_view_buffer(view)), scheme);
}
/// The line that is seen at the top, from 0.
static inline int write_view_top_line(GtkWidget *view) {
  GdkRectangle seen;
  GtkTextIter place;
  gtk_text_view_get_visible_rect(GTK_TEXT_VIEW(view), &seen);
  gtk_text_view_get_line_at_y(GTK_TEXT_VIEW(view), &place, seen.y, NULL);
  return gtk_text_iter_get_line(&place);
}
/// How many lines of usual height are seen.
static inline int write_view_height(GtkWidget *view) {
  GdkRectangle seen;
  GtkTextIter start;
  int top, height;
  gtk_text_view_get_visible_rect(GTK_TEXT_VIEW(view), &seen);
  gtk_text_buffer_get_start_iter(write_view_buffer(view), &start);
  gtk_text_view_get_line_yrange(GTK_TEXT_VIEW(view), &start, &top, &height);
  return height > 0 ? seen.height / height : 0;
}
/// As soon as it is known how high lines are.
static inline void write_view_scroll_to(GtkWidget *view, GtkTextMark *mark, gboolean to_top) {
  gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(view), mark, 0, to_top, 0, 0);
}
/// A tag that marks whole lines; `color` as CSS has it.
static inline void write_buffer_add_tag(GtkTextBuffer *buffer, const char *name, const char *color) {
  gtk_text_buffer_create_tag(buffer, name, "paragraph-background", color, NULL);
}
/// Puts a tag on whole lines from `first` to before `end`, counted from 0.
static inline void write_buffer_mark_lines(GtkTextBuffer *buffer, const char *tag, int first, int end) {
  GtkTextIter from, to;
  gtk_text_buffer_get_iter_at_line(buffer, &from, first);
  if (!gtk_text_buffer_get_iter_at_line(buffer, &to, end)) gtk_text_buffer_get_end_iter(buffer, &to);
  gtk_text_buffer_apply_tag_by_name(buffer, tag, &from, &to);
}
static inline void write_buffer_unmark(GtkTextBuffer *buffer) {
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  gtk_text_buffer_remove_all_tags(buffer, &start, &end);
}
static inline void write_buffer_set_text(GtkTextBuffer *buffer, const char *text, int length) {
  gtk_text_buffer_set_text(buffer, text, length);
}
/// Shows a line in the middle of the view, with the cursor at its start.
static inline void write_view_show_line(GtkWidget *view, int line) {
  GtkTextBuffer *buffer = write_view_buffer(view);
  GtkTextIter place;
  gtk_text_buffer_get_iter_at_line(buffer, &place, line);
  gtk_text_buffer_place_cursor(buffer, &place);
  gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(view), gtk_text_buffer_get_insert(buffer), 0, TRUE, 0, 0.4);
}
/// The nearest place there is.
static inline void write_buffer_place(GtkTextBuffer *buffer, GtkTextIter *place, int line, int scalar) {
  gtk_text_buffer_get_iter_at_line(buffer, place, line);
  GtkTextIter end = *place;
  if (!gtk_text_iter_ends_line(&end)) gtk_text_iter_forward_to_line_end(&end);
  int length = gtk_text_iter_get_line_offset(&end);
  gtk_text_iter_set_line_offset(place, scalar < length ? scalar : length);
}

// MARK: Dialogs

static inline GtkFileChooserNative *write_chooser_new(GtkWidget *parent, gboolean is_saving, const char *folder,
                                                      const char *name) {
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
      is_saving ? "Save As" : "Open", GTK_WINDOW(parent),
      is_saving ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  if (folder != NULL) {
    GFile *file = g_file_new_for_path(folder);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), file, NULL);
    g_object_unref(file);
  }
  if (name != NULL) gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), name);
  return chooser;
}
static inline void write_chooser_show(GtkFileChooserNative *chooser) { gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser)); }
static inline GFile *write_chooser_file(GtkFileChooserNative *chooser) {
  return gtk_file_chooser_get_file(GTK_FILE_CHOOSER(chooser));
}
/// Three buttons that answer 0, 1 and 2; the last is the default.
static inline GtkWidget *write_question_new(GtkWidget *parent, const char *text, const char *detail,
                                            const char *first, const char *second, const char *third) {
  GtkWidget *dialog = gtk_message_dialog_new(GTK_WINDOW(parent), GTK_DIALOG_MODAL, GTK_MESSAGE_QUESTION,
                                             GTK_BUTTONS_NONE, "%s", text);
  gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", detail);
  gtk_dialog_add_buttons(GTK_DIALOG(dialog), first, 0, second, 1, third, 2, NULL);
  gtk_dialog_set_default_response(GTK_DIALOG(dialog), 2);
  write_set_accessible_name(dialog, text);
  return dialog;
}

// MARK: The desktop

/// The desktop's settings, or NULL where their description is not installed.
static inline GSettings *write_desktop_settings(void) {
  GSettingsSchemaSource *source = g_settings_schema_source_get_default();
  const char *name = "org.gnome.desktop.interface";
  GSettingsSchema *schema = source == NULL ? NULL : g_settings_schema_source_lookup(source, name, TRUE);
  if (schema == NULL) return NULL;
  gboolean is_whole = g_settings_schema_has_key(schema, "color-scheme") &&
                      g_settings_schema_has_key(schema, "monospace-font-name");
  g_settings_schema_unref(schema);
  return is_whole ? g_settings_new(name) : NULL;
}
static inline void write_set_prefers_dark(gboolean is_dark) {
  GtkSettings *settings = gtk_settings_get_default();
  if (settings != NULL) g_object_set(settings, "gtk-application-prefer-dark-theme", is_dark, NULL);
}
/// Whether the theme in use is a dark one.
static inline gboolean write_is_dark(void) {
  GtkSettings *settings = gtk_settings_get_default();
  gboolean prefers_dark = FALSE;
  char *theme = NULL;
  if (settings == NULL) return FALSE;
  g_object_get(settings, "gtk-application-prefer-dark-theme", &prefers_dark, "gtk-theme-name", &theme, NULL);
  gboolean is_dark = prefers_dark || (theme != NULL && g_str_has_suffix(theme, "dark"));
  g_free(theme);
  return is_dark;
}
/// Style sheets for all windows on the display; the text of an earlier call is replaced.
static inline void write_set_style(GtkCssProvider *provider, const char *style) {
  gtk_css_provider_load_from_data(provider, style, -1);
}
static inline GtkCssProvider *write_style_new(void) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  return provider;
}
/// A font of Pango's notation as a rule of a style sheet; the caller frees it.
static inline char *write_font_rule(const char *font) {
  PangoFontDescription *description = pango_font_description_from_string(font);
  const char *family = pango_font_description_get_family(description);
  double size = pango_font_description_get_size(description) / (double)PANGO_SCALE;
  char *rule = family == NULL || size <= 0
                   ? g_strdup("")
                   : g_strdup_printf("textview.write { font-family: \"%s\"; font-size: %.1fpt; }", family, size);
  pango_font_description_free(description);
  return rule;
}
